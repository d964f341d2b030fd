#include "model/records/visible_entries.hpp"

#include "model/check.hpp"

namespace parley {

Entry parsed(const EntryText& text) {
  auto entry = entry_from_stored(text.json);
  CHECK(entry.ok());
  return std::move(entry).value();
}

}  // namespace parley
