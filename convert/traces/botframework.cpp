#include "convert/traces/botframework.hpp"

#include <algorithm>
#include <map>

#include "convert/messages/rows.hpp"
#include "model/limits.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Bytes of the quotation marks, the colon and the comma of a member.
constexpr std::size_t punctuation_bytes = 4;

/// The sender. The Python SDKs write the name of the property as the key.
const Node* sender_of(const Node& activity) {
  return activity.first_of({"from", "from_property"});
}

/// The role of each account, from all activities of the file: its own role, the prefix of its id in Teams, the word
/// "bot" in its name, or the role of the account on the other side.
class Roles {
 public:
  explicit Roles(const std::vector<Node>& activities) {
    for (const Node& each : activities) {
      learn(sender_of(each));
      learn(each.find("recipient"));
      for (const Node& member : each.list_of("membersAdded")) learn(&member);
    }
    const std::vector<Pair> pairs = pairs_of(activities);
    for (std::size_t known = 0; known != by_id_.size();) {
      known = by_id_.size();
      for (const auto& [one, other] : pairs) learn_other_side(one, other);
    }
  }

  /// `user`, `bot`, or empty.
  [[nodiscard]] std::string of(const Node* account) const {
    if (account == nullptr) return {};
    if (std::string role = own_role(*account); !role.empty()) return role;
    const auto known = by_id_.find(account->text_of("id"));
    return known == by_id_.end() ? role_by_name(*account) : known->second;
  }

 private:
  using Pair = std::pair<std::string, std::string>;

  /// Copilot Studio writes the role as a number.
  static std::string own_role(const Node& account) {
    const std::string role = ascii::lower(account.text_of("role"));
    return role == "0" ? "bot" : role == "1" ? "user" : role;
  }

  /// Whether the name ends with the word, as in `Help Bot`, `HelpBot` and `helpbot`, and not as in `Jane Talbot`.
  static bool is_name_of_bot(const std::string& name) {
    constexpr std::string_view word = "bot";
    const std::string lower = ascii::lower(name);
    if (!lower.ends_with(word)) return false;
    if (name == lower && name.find(' ') == std::string::npos) return true;
    const std::size_t begin = name.size() - word.size();
    if (begin == 0 || !ascii::is_letter(name[begin - 1])) return true;
    return name[begin] == 'B' && ascii::is_lower(name[begin - 1]);
  }

  static std::string role_by_name(const Node& account) {
    const std::string id = account.text_of("id");
    if (id.starts_with("28:")) return "bot";  // Teams
    if (id.starts_with("29:")) return "user";
    for (const std::string& name : {account.text_of("name"), id}) {
      if (is_name_of_bot(name)) return "bot";
      const std::string lower = ascii::lower(name);
      if (lower == "user" || lower == "you") return "user";
    }
    return {};
  }

  void learn(const Node* account) {
    if (account == nullptr || account->text_of("id").empty()) return;
    const std::string id = account->text_of("id");
    if (std::string role = own_role(*account); !role.empty()) {
      by_id_[id] = std::move(role);
    } else if (std::string named = role_by_name(*account); !named.empty()) {
      by_id_.try_emplace(id, std::move(named));
    }
  }

  /// The sender and the recipient of each activity, and the senders of a reply and of what it replies to.
  static std::vector<Pair> pairs_of(const std::vector<Node>& activities) {
    std::map<std::string, std::string> senders;  // by id of the activity
    std::vector<Pair> pairs;
    for (const Node& each : activities) {
      const Node* from = sender_of(each);
      const Node* to = each.find("recipient");
      const std::string sender = from == nullptr ? std::string() : from->text_of("id");
      if (to != nullptr) pairs.emplace_back(sender, to->text_of("id"));
      if (const auto asked = senders.find(each.text_of("replyToId")); asked != senders.end())
        pairs.emplace_back(sender, asked->second);
      if (!each.text_of("id").empty()) senders.try_emplace(each.text_of("id"), sender);
    }
    std::erase_if(pairs, [](const Pair& pair) {
      return pair.first.empty() || pair.second.empty() || pair.first == pair.second;
    });
    return pairs;
  }

  void learn_other_side(const std::string& one, const std::string& other) {
    for (const auto& [known, unknown] : {Pair(one, other), Pair(other, one)}) {
      const auto found = by_id_.find(known);
      if (found != by_id_.end() && !by_id_.contains(unknown))
        by_id_[unknown] = found->second == "user" ? "bot" : "user";
    }
  }

  std::map<std::string, std::string> by_id_;
};

class TranscriptReader {
 public:
  TranscriptReader(Conversion& conversion, const Source& source, const Roles& roles)
      : conversion_(conversion), source_(source), roles_(roles) {}

  void add(const std::string& id, const std::vector<const Node*>& activities) {
    LogDraft log;
    log.id = id;
    name_ = conversion_.external_id(id);
    for (const Node* each : activities) add_activity(log, *each);
    if (log.entries.empty()) return lost(*activities.front(), "conversation", "it contains no messages");
    conversion_.finish_log(std::move(log), {source_, activities.front()->place});
  }

 private:
  void lost(const Node& at, const std::string& what, const std::string& why, const std::string& text = {}) {
    conversion_.report.add(
        source_, at.place,
        {.outcome = Outcome::not_mapped, .source = what, .text = text, .log = name_, .why = why});
  }

  void add_activity(LogDraft& log, const Node& activity) {
    const std::string type = activity.text_of("type");
    if (type != "message") return lost(activity, "activity " + type, "only messages are kept");
    for (const std::string_view key : {"speak", "entities", "value"}) {
      const Node* found = activity.find(key);
      if (found != nullptr && (found->is_scalar() ? !found->text.empty() : !found->items.empty()))
        lost(*found, std::string(key), "only the text of a message is kept", as_text(*found));
    }
    const std::string role = roles_.of(sender_of(activity));
    const std::string text = activity.text_of("text");
    if (role.empty()) return lost(activity, "message without a sender", "it does not say who sent it", text);
    if (text.empty()) return lost(activity, "message without text", "a log message must have text");
    log.say(role == "user", text, attached(activity));
  }

  /// The buttons, cards and files of a message, as metadata.
  Members attached(const Node& activity) {
    Members about;
    std::size_t bytes = 0;
    for (const std::string_view key : {"suggestedActions", "suggested_actions", "attachments"}) {
      const Node* found = activity.find(key);
      if (found == nullptr || found->items.empty()) continue;
      std::string json = to_json(*found);
      const std::size_t size = key.size() + json.size() + punctuation_bytes;
      const bool fits = bytes + size <= limits::metadata_bytes_max;
      lost(*found, std::string(key),
           fits ? "stored in the metadata but not displayed" : "message metadata is limited to 100 KB", json);
      if (!fits) continue;
      bytes += size;
      set_member(about, std::string(key), std::move(json));
    }
    return about;
  }

  Conversion& conversion_;
  const Source& source_;
  const Roles& roles_;
  std::string name_;
};

/// The activities of a list, of the member `activities`, or one for each line.
std::vector<Node> activities_of(Conversion& conversion, const Source& source) {
  std::vector<Node> activities;
  for_each_row(conversion, source, [&](const Node& row) {
    const std::vector<Node>& inner = row.list_of("activities");
    if (inner.empty()) activities.push_back(row);
    activities.insert(activities.end(), inner.begin(), inner.end());
  });
  return activities;
}

void import_transcript(Conversion& conversion, const Source& source) {
  const std::size_t faults = conversion.faults.count();
  const std::vector<Node> activities = activities_of(conversion, source);
  if (conversion.faults.count() > faults) return;
  if (activities.empty() || activities.front().find("type") == nullptr) {
    conversion.faults.add(source, activities.empty() ? Place{1, 1} : activities.front().place,
                          "not a transcript: it must be a list of activities with \"type\"");
    return;
  }
  std::vector<std::pair<std::string, std::vector<const Node*>>> conversations;
  for (const Node& each : activities) {
    const Node* conversation = each.find("conversation");
    const std::string id = conversation == nullptr ? std::string() : conversation->text_of("id");
    auto found = std::find_if(conversations.begin(), conversations.end(),
                              [&](const auto& known) { return known.first == id; });
    if (found == conversations.end()) found = conversations.insert(conversations.end(), {id, {}});
    found->second.push_back(&each);
  }
  const Roles roles(activities);
  TranscriptReader reader(conversion, source, roles);
  for (const auto& [id, list] : conversations) reader.add(id, list);
}

}  // namespace

void import_botframework(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    if (extension_of(source.path) == ".chat") {
      add_chat(conversion, source);
    } else {
      import_transcript(conversion, source);
    }
  });
}

int looks_like_botframework(const std::string& path, std::string_view text, const Node* head) {
  const std::string extension = extension_of(path);
  if (extension == ".chat" && (text.find("\nbot:") != std::string_view::npos ||
                               text.find("\nbot=") != std::string_view::npos || text.starts_with("bot=")))
    return 80;
  if (head == nullptr) return 0;
  const bool is_inside = !head->list_of("activities").empty();  // Copilot Studio
  const std::vector<Node>& activities = head->is_list() ? head->items : head->list_of("activities");
  const Node& first = activities.empty() ? *head : activities.front();
  const bool has_sender = first.has("channelId") || first.has("channel_id") || sender_of(first) != nullptr;
  const bool is_activity = first.find("type") != nullptr && has_sender &&
                           (is_inside || first.find("conversation") != nullptr || extension == ".transcript");
  return is_activity ? 80 : 0;
}

}  // namespace parley::convert
