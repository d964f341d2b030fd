#include "model/description/record_write.hpp"

#include "model/check.hpp"

namespace parley {

void RecordWriter::stamp(const Stamp& stamp) {
  if (mode_ == WriteMode::stored) {  // id and revision are in the key and the value's header
    out_.key("updatedAt").integer(stamp.updated_at.ms);
    return;
  }
  out_.member("id", to_text(stamp.id));
  out_.member("createdAt", to_text(stamp.created_at()));
  out_.member("updatedAt", to_text(stamp.updated_at));
}

void RecordWriter::write(Time value) {
  if (mode_ == WriteMode::stored) {
    out_.integer(value.ms);
  } else {
    out_.string(to_text(value));
  }
}

void RecordWriter::write_link(RecordKind kind, const Id& id) {
  if (mode_ == WriteMode::stored) {
    out_.string(to_text(id));
    return;
  }
  CHECK(linker_ != nullptr);
  linker_->append(out_, kind, id);
}

}  // namespace parley
