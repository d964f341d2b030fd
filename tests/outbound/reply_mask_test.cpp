// The reply of an agent or a model is recorded without secrets: as JSON if it was JSON, and otherwise verbatim (I67,
// I58).

#include <random>

#include "model/json/json_writer.hpp"
#include "outbound/agents/agent.hpp"
#include "outbound/redaction/reply_redaction.hpp"
#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::answer_of;

std::string hidden_in(const std::string& secret, const std::string& json) {
  json::Text text{json};
  EXPECT_TRUE(ReplyRedaction(Secrets{{"X-Key", secret}}).hide(text)) << json;
  EXPECT_TRUE(json::parse(text.text).ok()) << text.text;
  return text.text;
}

struct Hiding {
  std::string secret;
  std::string json;
  std::string hidden;
};

TEST(ReplyRedaction, leaves_JSON_that_can_be_read) {
  const std::string sixteen(16, '\\');
  for (const Hiding& row : std::vector<Hiding>{
           {"12345678", R"({"order":12345678,"n":"12345678"})", R"({"order":12345678,"n":"***"})"},
           {"12345678", R"({"order":123456789})", R"({"order":123456789})"},
           {"sk-abcdef", R"({"***":1,"sk-abcdef":2,"a sk-abcdef":3})", R"({"***":1,"***-2":2,"a ***":3})"},
           {"sk-abcdef", R"({"sk-abcdef":1,"***":2,"***-2":3,"sk\u002dabcdef/":4})",
            R"({"***-3":1,"***":2,"***-2":3,"***/":4})"},
           {"sk-abcdef", R"({"p":")" + sixteen + R"(sk-abcdef"})", R"({"p":"***"})"},
           {R"(abcdefg\)", R"({"p":"abcdefg\\"})", R"({"p":"***"})"},
           {R"("sk-abcdef")", R"({"key":"sk-abcdef"})", R"({"key":"***"})"},
           {R"("sk-abcdef")", R"({"key":"\"sk-abcdef\""})", R"({"key":"***"})"},
           {"sk-abcdef", R"({"in":"{\"key\":\"sk\\u002dabcdef\"}"})", R"({"in":"{\"key\":\"***\"}"})"},
           {R"(sk\abc/def)", R"({"p":"sk\u005cabc\/def"})", R"({"p":"***"})"},
           {"sk-abcdef", R"({"a":1.0,"b":-0,"c":[1e300,"\u00e9\/",true,null],"d":"sk-abcdef"})",
            R"({"a":1.0,"b":-0,"c":[1e300,"\u00e9\/",true,null],"d":"***"})"},
           {"sk-abcdef", R"({"\u0061":"\u00e9\n"})", R"({"\u0061":"\u00e9\n"})"},
       }) {
    EXPECT_EQ(hidden_in(row.secret, row.json), row.hidden) << row.secret;
  }
}

TEST(ReplyRedaction, hides_a_secret_that_is_a_plain_word_only_without_its_backslashes) {
  for (const std::string secret : {R"(corp\bob)", R"(ad\john)", R"(AD\JOHN)", R"(supp\ort)"}) {
    json::Writer quoted;
    quoted.string(secret);
    const std::string once = std::move(quoted).text();
    EXPECT_EQ(hidden_in(secret, R"({"user":)" + once + "}"), R"({"user":"***"})") << secret;
    std::string text = R"(user )" + once + ", " + secret;
    ReplyRedaction(Secrets{{"X-User", secret}}).hide(text);
    EXPECT_EQ(text, R"(user "***", ***)") << secret;
  }
}

TEST(ReplyRedaction, reports_a_text_that_is_not_JSON) {
  json::Text broken{R"({"order":sk-abcdef})"};
  EXPECT_FALSE(ReplyRedaction(Secrets{{"X-Key", "sk-abcdef"}}).hide(broken));
}

TEST(ReplyRedaction, leaves_plain_words_alone_and_nothing_else) {
  const auto said = [](const std::string& secret) {
    std::string text = "<" + secret + ">";
    ReplyRedaction(Secrets{{"X-Key", secret}}).hide(text);
    return text;
  };
  for (const char* word : {"support", "SUPPORT", "Support", "ollama", "private"}) {
    EXPECT_EQ(said(word), "<" + std::string(word) + ">");
    EXPECT_EQ(without_secrets(word, {{"X-Key", word}}), "***") << "in a fault it is masked as well";
  }
  for (const char* key : {"support1", "sup-port", "suPport", "sUPPORT", "topsecret", "12345678",
                          "s\xc3\xa4mtliche", "Acme Corp", "abcdefghijklmnop"}) {
    EXPECT_EQ(said(key), "<***>") << key;
  }
  EXPECT_EQ(said("Bearer support"), "<***>");
  std::string rest = "customer support";
  ReplyRedaction(Secrets{{"Authorization", "Bearer support"}}).hide(rest);
  EXPECT_EQ(rest, "customer support");
}

TEST(AgentReply, is_recorded_without_secrets_and_with_JSON_that_can_be_read_I67) {
  Agent agent;
  agent.type = "HTTP";
  agent.config = json::Text{R"({"url":"http://agent.test/turn"})"};
  const auto read = finish_turn(
      agent,
      answer_of(
          R"({"message":"12345678","metadata":{"order":12345678},"tools":[{"name":"t","metadata":{"***":1,)"
          R"("k12345678":2}}],"events":[{"name":"e 12345678","metadata":{"12345678":0,"***":1}}]})"),
      {{"X-Key", "12345678"}});
  const auto& reply = std::get<AgentReply>(read);
  EXPECT_EQ(reply.message, "***");
  EXPECT_EQ(reply.metadata.text, R"({"order":12345678,"responseTime":12})");
  EXPECT_EQ(reply.tools[0].metadata.text, R"({"***":1,"k***":2})");
  EXPECT_EQ(reply.events[0].name, "e ***");
  EXPECT_EQ(reply.events[0].metadata.text, R"({"***-2":0,"***":1})");
}

/// A random document and a random secret, made of characters that have a meaning in one of the two.
class Anything {
 public:
  explicit Anything(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

  std::string text(std::size_t most) {
    static const std::vector<std::string> pieces{"\\",
                                                 "\\\\",
                                                 "\"",
                                                 "'",
                                                 "1",
                                                 "2",
                                                 "12345678",
                                                 "a",
                                                 "b",
                                                 "abcdef",
                                                 "u002d",
                                                 "u",
                                                 "n",
                                                 "t",
                                                 "/",
                                                 "-",
                                                 " ",
                                                 "{",
                                                 "}",
                                                 ":",
                                                 ",",
                                                 "\xc3\xa9",
                                                 "\xf0\x9f\x98\x80",
                                                 "\\u00",
                                                 "d83d"};
    std::string out;
    for (std::size_t i = below(most + 1); i > 0; --i) out += pieces[below(pieces.size())];
    return out;
  }

  /// A document whose texts often contain the secret.
  std::string document(const std::string& secret) {
    std::string out;
    write(out, secret, 0);
    return out;
  }

 private:
  std::string some(const std::string& secret) { return below(2) == 0 ? text(6) : text(3) + secret + text(3); }

  void quoted(std::string& out, const std::string& decoded) {
    std::string written;
    json::append_quoted(written, decoded);
    for (const char c : written) {
      const bool may_be_escaped = is_respelt(c) && (out.empty() || out.back() != '\\') && below(8) == 0;
      if (may_be_escaped) {
        static const std::string hex = "0123456789abcdef";
        out += "\\u00";
        out += hex[static_cast<unsigned char>(c) >> 4];
        out += hex[static_cast<unsigned char>(c) & 15];
      } else {
        out += c;
      }
    }
  }

  static bool is_respelt(char c) { return c == 'b' || c == 'd' || c == 'e'; }

  void write(std::string& out, const std::string& secret, int depth) {
    switch (depth == 0 ? 0 : below(depth > 3 ? 3 : 5)) {
      case 1: out += below(2) == 0 ? "12345678" : "-1.0e12345678"; return;
      case 2: return quoted(out, below(4) == 0 ? document(secret) : some(secret));
      case 3:
        out += '[';
        for (std::size_t i = below(3); i > 0; --i) {
          write(out, secret, depth + 1);
          if (i > 1) out += ',';
        }
        out += ']';
        return;
      default: break;
    }
    if (depth > 3) {
      out += "true";
      return;
    }
    out += '{';
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      quoted(out, some(secret) + (below(3) == 0 ? "" : std::to_string(i)));
      out += ':';
      write(out, secret, depth + 1);
      if (i > 1) out += ',';
    }
    out += '}';
  }

  std::mt19937 random_;
};

/// Whether the part consists of letters only. The pieces have no other letters.
bool is_word(const std::string& part) {
  return part.size() <= 7 && part.find_first_not_of("abcdefnut") == std::string::npos;
}

/// Each key and string, decoded, and the other values as they were spelled.
struct Texts {
  std::vector<std::string> texts;
  std::vector<std::string> others;

  void add(const json::Value& value) {
    if (value.is(json::Kind::string)) texts.emplace_back(value.string());
    const bool is_container = value.is(json::Kind::object) || value.is(json::Kind::array);
    if (!is_container && !value.is(json::Kind::string)) others.emplace_back(value.raw());
    for (const json::Value& child : is_container ? value.children() : std::vector<json::Value>{}) {
      if (value.is(json::Kind::object)) texts.emplace_back(child.key());
      add(child);
    }
  }
};

TEST(ReplyRedaction, holds_for_any_reply_and_any_secret) {
  Anything any(20'261'122);
  std::size_t changed = 0;
  std::size_t same = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string secret = any.text(8);
    const Secrets secrets{{"X-Key", secret}};
    const std::string sent = any.document(secret);
    const auto before = json::parse(sent);
    if (!before.ok()) continue;  // a duplicate key, or an unpaired surrogate
    json::Text text{sent};
    ASSERT_TRUE(ReplyRedaction(secrets).hide(text)) << sent;
    const auto after = json::parse(text.text);
    ASSERT_TRUE(after.ok()) << secret << "\n" << sent << "\n" << text.text;
    Texts was;
    was.add(before->root());
    Texts is;
    is.add(after->root());
    EXPECT_EQ(was.others, is.others);
    ASSERT_EQ(was.texts.size(), is.texts.size());
    bool is_plain = true;
    Parts parts = parts_as_sent(secrets);
    std::erase_if(parts, is_word);
    for (const std::string& part : hidden_forms(parts)) {
      for (const std::string& told : is.texts)
        EXPECT_EQ(told.find(part), std::string::npos) << secret << "\n" << sent << "\n" << text.text;
      for (const std::string& told : was.texts)
        is_plain = is_plain && told.find(part) == std::string::npos && told.find('\\') == std::string::npos;
    }
    if (is_plain) {
      EXPECT_EQ(text.text, sent) << secret;
    }
    ++(text.text == sent ? same : changed);
  }
  EXPECT_GT(changed, 3'000u);
  EXPECT_GT(same, 3'000u);
}

}  // namespace
}  // namespace parley::outbound
