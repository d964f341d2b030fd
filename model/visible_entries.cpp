#include "model/visible_entries.hpp"

#include "model/check.hpp"

namespace parley {

Entry parsed(const EntryText& text) {
  const auto document = json::parse(text.json);
  CHECK(document.ok());
  return entry_from_json(document->root());
}

}  // namespace parley
