#include "outbound/formats/reply_proposal.hpp"

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t texts_max = 2'000;  ///< maximum number of texts that are checked
constexpr std::size_t items_max = 8;      ///< maximum number of items of one list

/// Names that a message usually has, the likeliest first.
constexpr std::array<std::string_view, 23> usual_names{
    "output_text", "delta",       "answer",  "reply",  "response",  "bot_reply", "message", "text",
    "output",      "content",     "result",  "speech", "utterance", "say",       "body",    "generated_text",
    "completion",  "fulfillment", "chatbot", "bot",    "assistant", "value",     "data"};

constexpr std::array<std::string_view, 13> other_names{
    "id",  "type",   "role", "model",     "status", "object",       "session",
    "url", "sender", "time", "timestamp", "error",  "finish_reason"};

struct Candidate {
  int score = 0;
  std::string pointer;
};

template <std::size_t N>
std::size_t place_in(const std::array<std::string_view, N>& names, const std::string& key) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), key) - names.begin());
}

/// The score that a text gets for its own name.
int score_of_name(const std::string& key) {
  const auto usual = place_in(usual_names, key);
  if (usual < usual_names.size()) return 60 - static_cast<int>(usual);
  const bool is_other = place_in(other_names, key) < other_names.size() || key.ends_with("id") ||
                        key.ends_with("_at") || key.ends_with("type") || key.ends_with("url");
  return is_other ? -100 : 0;
}

int score_of_text(std::string_view text) {
  if (text.empty() || text.starts_with("http://") || text.starts_with("https://")) return -100;
  const auto blanks = std::count(text.begin(), text.end(), ' ');
  const bool has_digits_only = text.find_first_not_of("0123456789-:.TZ") == std::string_view::npos;
  if (has_digits_only) return -100;
  return static_cast<int>(std::min<std::ptrdiff_t>(blanks, 20)) * 2;
}

class Search {
 public:
  void search(const json::Value& value, const std::string& pointer, const std::string& name, int depth) {
    if (texts_ >= texts_max) return;
    switch (value.kind()) {
      case json::Kind::string: return weigh(value, pointer, name, depth);
      case json::Kind::array: {
        // The items of a list at the root form the answer together, so the first one represents all.
        const auto items = value.children();
        for (std::size_t i = 0; i < std::min(items.size(), depth == 0 ? 1 : items_max); ++i)
          search(items[i], pointer + "/" + (depth == 0 ? "*" : std::to_string(i)), name, depth + 1);
        return;
      }
      case json::Kind::object:
        for (const json::Value& member : value.children()) {
          const std::string key = ascii::lower(member.key());
          // Read as messages, the texts of an error would turn outages into answers.
          if (key == "error" || key == "errors" || key == "exception") continue;
          search(member, pointer + "/" + json::pointer_token(member.key()), key, depth + 1);
        }
        return;
      case json::Kind::null:
      case json::Kind::boolean:
      case json::Kind::number: return;
    }
  }

  [[nodiscard]] std::optional<std::string> best() const {
    return best_ ? std::optional(best_->pointer) : std::nullopt;
  }

 private:
  void weigh(const json::Value& value, const std::string& pointer, const std::string& name, int depth) {
    ++texts_;
    const int score = score_of_name(name) + score_of_text(value.string()) - depth;
    if (score > -50 && (!best_ || score > best_->score)) best_ = Candidate{score, pointer};
  }

  std::size_t texts_ = 0;
  std::optional<Candidate> best_;
};

}  // namespace

std::optional<std::string> likely_pointer(const json::Value& root) {
  Search search;
  search.search(root, "", "", 0);
  return search.best();
}

}  // namespace parley::outbound
