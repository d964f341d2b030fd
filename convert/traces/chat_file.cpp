// `.chat` files of Bot Framework's chatdown: `user=NAME` or `users=NAME,NAME`, and `bot=NAME`, then lines `NAME: text`
// with commands in brackets.

#include <algorithm>
#include <array>
#include <set>

#include "convert/traces/botframework.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 31> commands{"typing",
                                                    "delay",
                                                    "attachment",
                                                    "attachments",
                                                    "attachmentlayout",
                                                    "conversationupdate",
                                                    "suggestedactions",
                                                    "suggestions",
                                                    "inputhint",
                                                    "event",
                                                    "trace",
                                                    "speak",
                                                    "handoff",
                                                    "endofconversation",
                                                    "messagereaction",
                                                    "herocard",
                                                    "thumbnailcard",
                                                    "mediacard",
                                                    "animationcard",
                                                    "audiocard",
                                                    "videocard",
                                                    "oauthcard",
                                                    "signincard",
                                                    "receiptcard",
                                                    "contactrelationupdate",
                                                    "deleteuserdata",
                                                    "installationupdate",
                                                    "invoke",
                                                    "messagedelete",
                                                    "messageupdate",
                                                    "ping"};

struct Speaker {
  bool is_known = false;
  bool is_user = false;
  std::string_view text;
};

class ChatFile {
 public:
  ChatFile(Conversion& conversion, const Source& source) : conversion_(conversion), source_(source) {}

  void read() {
    name_ = conversion_.external_id("");
    for (const std::string_view line : lines_of(source_.text)) {
      ++line_;
      read_line(line);
    }
    flush();
    if (!log_.entries.empty()) conversion_.finish_log(std::move(log_), {source_, {1, 1}});
  }

 private:
  void read_line(std::string_view line) {
    const std::string_view trimmed = ascii::trimmed(line);
    if (!has_message_ && (trimmed.starts_with('>') || trimmed.empty())) return;
    if (!has_message_ && read_header(trimmed)) return;
    const Speaker speaker = speaker_of(trimmed);
    if (speaker.is_known) {
      flush();
      has_message_ = true;
      is_user_ = speaker.is_user;
      text_ = speaker.text;
      at_ = line_;
    } else if (has_message_) {
      text_ += "\n" + std::string(line);
    } else {
      read_early(trimmed);
    }
  }

  /// Reads a line before the first message. A command in brackets may continue on later lines.
  void read_early(std::string_view line) {
    if (text_.empty()) at_ = line_;
    text_ += (text_.empty() ? "" : "\n") + std::string(line);
    if (text_.starts_with('[') && text_.find(']') == std::string::npos) return;
    flush_early();
  }

  void flush_early() {
    const std::string text = text_.empty() ? text_ : without_commands(text_);
    text_.clear();
    if (!text.empty())
      lost("line before the first message", text, "no known speaker says it", Outcome::not_mapped);
    at_ = 0;
  }

  bool read_header(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string key = ascii::lower(ascii::trimmed(line.substr(0, equals)));
    if (key != "user" && key != "users" && key != "bot" && key != "channelid") return false;
    std::string_view left = line.substr(equals + 1);
    std::size_t names = 0;
    while (!left.empty()) {
      const std::size_t comma = left.find(',');
      (key == "bot" ? bots_ : users_).insert(ascii::lower(ascii::trimmed(left.substr(0, comma))));
      ++names;
      left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
    }
    if (key.starts_with("user") && names > 1)
      lost("several users", std::string(line), "one tester says what all of them say", Outcome::approximated);
    return true;
  }

  [[nodiscard]] Speaker speaker_of(std::string_view line) const {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || line.starts_with('[')) return {};
    const std::string_view head = line.substr(0, colon);
    const std::string name = ascii::lower(ascii::trimmed(head.substr(0, head.find("->"))));
    const bool is_user = name == "user" || users_.contains(name);
    const bool is_bot = name == "bot" || bots_.contains(name);
    return {is_user || is_bot, is_user, ascii::trimmed(line.substr(colon + 1))};
  }

  void flush() {
    if (!has_message_) return flush_early();
    const std::string text = without_commands(text_);
    if (text.empty()) {
      lost("message without text", text_, "a log message must have text", Outcome::not_mapped);
    } else {
      log_.say(is_user_, text);
    }
    has_message_ = true;
    text_.clear();
  }

  /// The text without commands such as `[Typing]` and `[Delay=3000]`. Reports each command.
  std::string without_commands(const std::string& text) {
    std::string out;
    std::size_t at = 0;
    while (true) {
      const std::size_t open = text.find('[', at);
      const std::size_t close = open == std::string::npos ? open : text.find(']', open);
      if (close == std::string::npos) break;
      const std::string inner = text.substr(open + 1, close - open - 1);
      const std::string word = ascii::lower(inner.substr(0, inner.find_first_of("=: \n")));
      const bool is_command = std::find(commands.begin(), commands.end(), word) != commands.end();
      out += text.substr(at, open - at);
      if (is_command) {
        lost("[" + word + "]", inner, "only text is kept", Outcome::not_mapped);
      } else {
        out += text.substr(open, close + 1 - open);
      }
      at = close + 1;
    }
    out += text.substr(at);
    return std::string(ascii::trimmed(out, " \t\n"));
  }

  void lost(const std::string& what, const std::string& text, const std::string& why, Outcome outcome) {
    conversion_.report.add(source_, {at_ > 0 ? at_ : line_, 1},
                           {.outcome = outcome, .source = what, .text = text, .log = name_, .why = why});
  }

  Conversion& conversion_;
  const Source& source_;
  LogDraft log_;
  std::string name_;
  std::set<std::string, std::less<>> users_;
  std::set<std::string, std::less<>> bots_;
  std::uint32_t line_ = 0;
  std::uint32_t at_ = 0;
  bool has_message_ = false;
  bool is_user_ = false;
  std::string text_;
};

}  // namespace

void add_chat(Conversion& conversion, const Source& source) {
  ChatFile(conversion, source).read();
}

}  // namespace parley::convert
