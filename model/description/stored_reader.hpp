#pragma once
/// The visitor that fills a record from its stored JSON in one pass. Members are in the order of the
/// description; an absent or null member keeps its default; computed members are skipped, so that a part of a
/// response can also be read back. Falls back to the strict parser if the text has another order. See
/// stored_text.hpp.

#include "model/description/record_parse.hpp"
#include "model/description/stored_text.hpp"

namespace parley {

class StoredReader {
 public:
  explicit StoredReader(StoredText& text) : text_(text) {}

  void stamp(Stamp& stamp) {
    if (!text_.take_key("updatedAt")) return;
    stamp.updated_at.ms = text_.integer();
    text_.end_member();
  }
  template <class T>
  void field(std::string_view name, T& member, const Rules&, std::string_view) {
    if (text_.failed() || !text_.take_key(name)) return;
    read(member);
    text_.end_member();
  }
  template <class T>
  void computed(std::string_view name, const T&, std::string_view) {
    if (text_.failed() || !text_.take_key(name)) return;
    static_cast<void>(text_.raw());
    text_.end_member();
  }

 private:
  void read(std::string& member) { member = text_.string(); }
  void read(bool& member) { member = text_.boolean(); }
  void read(std::int64_t& member) { member = text_.integer(); }
  void read(double& member) { member = text_.number(); }
  void read(Time& member) { member.ms = text_.integer(); }
  void read(json::Text& member) { member.text = text_.raw(); }
  void read_id(Id& id) {
    const auto read = id_from_text(text_.string());
    if (!read) return text_.fail();
    id = *read;
  }
  template <Worded E>
  void read(E& member) {
    const auto word = from_word<E>(text_.string());
    if (!word) return text_.fail();
    member = *word;
  }
  template <RecordKind K>
  void read(Ref<K>& member) {
    read_id(member.id);
  }
  template <class T>
  void read(std::optional<T>& member) {
    if (!text_.take_null()) read(member.emplace());
  }
  template <class T>
  void read(std::vector<T>& member) {
    if (!text_.take('[')) return text_.fail();
    while (!text_.failed() && !text_.take(']')) {
      read(member.emplace_back());
      text_.end_member();
    }
  }
  template <Described T>
  void read(T& member) {
    if (!text_.take('{')) return text_.fail();
    StoredReader nested(text_);
    T::describe(member, nested);
    if (!text_.take('}')) text_.fail();
  }

  StoredText& text_;
};

/// Fills `record` from the output of write_stored; false for text that is not a JSON object. Needs: a default
/// record.
template <Described T>
[[nodiscard]] bool parse_stored(std::string_view json, T& record) {
  StoredText text(json);
  if (text.take('{')) {
    StoredReader reader(text);
    T::describe(record, reader);
    if (!text.failed() && text.take('}') && text.at_end()) return true;
  }
  // Written with another version of the description: members have another order, or some no longer exist.
  const auto document = json::parse(json);
  if (!document || !document->root().is(json::Kind::object)) return false;
  record = T{};
  parse_stored(document->root(), record);
  return true;
}

/// The same for a text that is an array of such objects; false for other text. Needs: an empty list.
template <Described T>
[[nodiscard]] bool parse_stored_list(std::string_view json, std::vector<T>& list) {
  StoredText text(json);
  bool fits = text.take('[');
  while (fits && !text.take(']')) {
    fits = text.take('{');
    if (!fits) break;
    StoredReader reader(text);
    T::describe(list.emplace_back(), reader);
    fits = !text.failed() && text.take('}');
    text.end_member();
  }
  if (fits && text.at_end()) return true;
  list.clear();
  const auto document = json::parse(json);
  if (!document || !document->root().is(json::Kind::array)) return false;
  for (const json::Value& each : document->root().children()) parse_stored(each, list.emplace_back());
  return true;
}

}  // namespace parley
