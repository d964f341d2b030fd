// One generic test walks all described records: each field is filled with a value other than its default, written, read
// back and written again. Also bodies: all faults in one answer, with pointers.

#include <gtest/gtest.h>

#include <set>

#include "model/description/record_write.hpp"
#include "model/description/stored_reader.hpp"
#include "model/json/json_writer.hpp"
#include "model/records/agent.hpp"
#include "model/records/named_records.hpp"
#include "model/records/run.hpp"
#include "model/records/scenario.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/tag.hpp"
#include "model/records/test.hpp"
#include "model/records/test_result.hpp"
#include "model/records/user.hpp"

namespace parley {
namespace {

/// The visitor that gives every field a distinct value, nested records included.
class Filler {
 public:
  void stamp(Stamp& stamp) {
    stamp.id = ids_.next(Time{1'700'000'000'000});
    stamp.updated_at = Time{1'700'000'000'000 + ++count_};
  }
  template <class T>
  void field(std::string_view name, T& member, const Rules&, std::string_view) {
    EXPECT_TRUE(names.insert(std::string(name)).second) << name << " is described twice";
    fill(member);
  }
  template <class T>
  void computed(std::string_view, const T&, std::string_view) {}

  std::set<std::string> names;

 private:
  void fill(std::string& member) { member = "text \"" + std::to_string(++count_) + "\"\n\xc3\xa4"; }
  void fill(bool& member) { member = !member; }
  void fill(std::int64_t& member) { member = -(1LL << 60) - ++count_; }
  void fill(double& member) { member = static_cast<double>(++count_) / 3; }
  void fill(Time& member) { member.ms = 1'600'000'000'000 + ++count_; }
  void fill(json::Text& member) {
    member.text = R"({"n":1.0,"k":[-0,"}"],"i":)" + std::to_string(++count_) + "}";
  }
  template <Worded E>
  void fill(E& member) {
    member = static_cast<E>(Words<E>::all.size() - 1);
  }
  template <RecordKind K>
  void fill(Ref<K>& member) {
    member.id = ids_.next(Time{1'700'000'000'000});
  }
  template <class T>
  void fill(std::optional<T>& member) {
    fill(member.emplace());
  }
  template <class T>
  void fill(std::vector<T>& member) {
    member.resize(2);
    for (T& item : member) fill(item);
  }
  template <Described T>
  void fill(T& member) {
    Filler nested;
    nested.count_ = count_ += 100;
    T::describe(member, nested);
  }

  CountingIds ids_{1};
  std::int64_t count_ = 0;
};

template <class T>
class Records : public ::testing::Test {};
using All = ::testing::Types<Scenario, Test, Agent, Personality, Folder, RunGroup, Tag, TagRule, TagCondition,
                             ScenarioConfiguration, FieldDef, User, ApiKey, Run, TestConfig, ResultHead,
                             TestCase, ResultExtras, ResultVerdict, StoredReview, StoredClaims, Assertion,
                             AssertionResult, MeasureSum, MeasureSums>;
TYPED_TEST_SUITE(Records, All);

TYPED_TEST(Records, come_back_as_they_were_stored) {
  TypeParam record;
  Filler filler;
  TypeParam::describe(record, filler);
  const std::string text = write_stored(record);
  const auto document = json::parse(text);
  ASSERT_TRUE(document.ok()) << text;
  for (const std::string& name : filler.names) EXPECT_TRUE(document->root().find(name).has_value()) << name;
  TypeParam strict;
  parse_stored(document->root(), strict);
  EXPECT_EQ(write_stored(strict), text);
  TypeParam fast;
  ASSERT_TRUE(parse_stored(std::string_view(text), fast));
  EXPECT_EQ(write_stored(fast), text);
}

TYPED_TEST(Records, come_back_empty) {
  const TypeParam record{};
  const std::string text = write_stored(record);
  TypeParam filled;
  Filler filler;
  TypeParam::describe(filled, filler);
  EXPECT_NE(write_stored(filled), text);
  TypeParam read;
  ASSERT_TRUE(parse_stored(std::string_view(text), read));
  EXPECT_EQ(write_stored(read), text);
}

TEST(EntryRecord, comes_back_with_every_text_as_it_was_sent_I58) {
  CountingIds ids;
  for (const EntryType type : {EntryType::message, EntryType::tool, EntryType::internal_event,
                               EntryType::public_event, EntryType::action}) {
    Entry entry;
    entry.id = ids.next(Time{1'700'000'000'000});
    entry.type = type;
    entry.role = type == EntryType::action ? Role::tester : Role::chatbot;
    if (type == EntryType::message) entry.content = "";
    if (type != EntryType::message) entry.name = std::string("n\0\"\n", 4);
    entry.metadata.text = R"({"a":1.0,"b":[1e300,-0,"\u0000"]})";
    entry.created_at = Time{1'700'000'000'123};
    entry.turn = 7;
    const auto read = entry_from_stored(entry_json(entry));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, entry) << word_of(type);
  }
}

TEST(EntryRecord, is_read_in_any_member_order_and_refused_if_malformed) {
  Entry entry;
  entry.content = "said";
  entry.turn = 3;
  const std::string id = to_text(entry.id);
  const std::string other = R"({"turn":3,"createdAt":"1970-01-01T00:00:00.000Z","metadata":{},"name":null,)"
                            R"("content":"s\u0061id","role":"chatbot","type":"message","id":")" +
                            id + R"("})";
  const auto read = entry_from_stored(other);
  ASSERT_TRUE(read.ok()) << read.problem().detail;
  EXPECT_EQ(*read, entry);
  EXPECT_FALSE(entry_from_stored(entry_json(entry).substr(1)).ok());
  EXPECT_FALSE(entry_from_stored("").ok());
}

TEST(EntryRecord, shows_metadata_that_is_not_JSON_as_a_string) {
  Entry entry;
  entry.content = "a *** \",\"metadata\":{},\"createdAt\":\"";
  entry.metadata.text = R"({"a":"***"})";
  EXPECT_EQ(mended_entry(entry_json(entry)), std::nullopt);
  for (const char* broken : {R"({"order":***})", R"({"***":1,"***":2})", R"({"p":"\***"})", R"({"p":"***\"})",
                             R"({"p":"***""})", R"({"key":***,"q":"\",\"createdAt\":"})"}) {
    entry.metadata.text = broken;
    const auto mended = mended_entry(entry_json(entry));
    ASSERT_TRUE(mended) << broken;
    Entry wanted = entry;
    wanted.metadata.text = R"({"unreadable":)";
    json::append_quoted(wanted.metadata.text, broken);
    wanted.metadata.text += "}";
    const auto read = entry_from_stored(*mended);
    ASSERT_TRUE(read.ok()) << *mended;
    EXPECT_EQ(*read, wanted);
    EXPECT_EQ(*mended, entry_json(wanted));
  }
}

TEST(EntryRecord, counts_only_what_the_chatbot_says_as_its_message) {
  Entry entry;
  EXPECT_TRUE(is_chatbot_message(entry));
  entry.role = Role::tester;
  EXPECT_FALSE(is_chatbot_message(entry));
  EXPECT_TRUE(is_event(EntryType::internal_event) && is_event(EntryType::public_event));
  EXPECT_FALSE(is_event(EntryType::tool) || is_event(EntryType::action));
}

class NamesOnly final : public Linker {
 public:
  void append(json::Writer& out, RecordKind kind, const Id&) const override {
    out.begin_object().member("kind", noun_of(kind)).end_object();
  }
};

std::string shown(const ApiKey& key, WriteMode mode) {
  const NamesOnly linker;
  json::Writer out;
  out.begin_object();
  RecordWriter writer(out, mode, &linker);
  ApiKey::describe(key, writer);
  out.end_object();
  return std::move(out).text();
}

TEST(RecordWriter, shows_links_as_objects_and_never_what_is_internal_D8) {
  ApiKey key;
  key.stamp.id = CountingIds(1).next(Time{1'700'000'000'000});
  key.stamp.updated_at = Time{1'700'000'000'001};
  key.hash = "secret";
  const std::string text = shown(key, WriteMode::full);
  EXPECT_EQ(text.find("secret"), std::string::npos);
  const auto document = json::parse(text);
  EXPECT_EQ(document->root().find("user")->find("kind")->string(), "user");
  EXPECT_EQ(document->root().find("createdAt")->string(), "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(document->root().find("updatedAt")->string(), "2023-11-14T22:13:20.001Z");
  EXPECT_EQ(document->root().find("expiresAt")->kind(), json::Kind::null);
}

struct Body {
  std::string name;
  std::string text;
  std::vector<std::string> pointers;
};

template <class T>
std::vector<std::string> faults_of(const std::string& text, ParseMode mode, bool strict = false) {
  const auto document = json::parse(text);
  EXPECT_TRUE(document.ok()) << text;
  Findings findings;
  findings.strict = strict;
  T record;
  Parser parser(document->root(), mode, "", findings);
  T::describe(record, parser);
  parser.finish();
  std::vector<std::string> pointers;
  for (const Fault& fault : findings.faults) pointers.push_back(fault.pointer);
  return pointers;
}

const std::string id_text = "01234567-89ab-7cde-8f01-23456789abcd";

TEST(Bodies, report_all_faults_at_once_with_their_pointers_D3_D5) {
  const std::string good = R"("scenario":")" + id_text + R"(","agent":")" + id_text + R"(","status":"new")";
  for (const Body& row : std::vector<Body>{
           {"good", "{" + good + "}", {}},
           {"all missing", "{}", {"/scenario", "/status", "/agent"}},
           {"null counts as missing",
            R"({"scenario":null,"agent":")" + id_text + R"(","status":"new"})",
            {"/scenario"}},
           {"wrong types", R"({"scenario":1,"agent":{},"status":7})", {"/scenario", "/status", "/agent"}},
           {"no id", R"({"scenario":"x","agent":")" + id_text + R"(","status":"new"})", {"/scenario"}},
           {"an unknown word",
            R"({"scenario":")" + id_text + R"(","agent":")" + id_text + R"(","status":"New"})",
            {"/status"}},
           {"repetitions", "{" + good + R"(,"repetitions":0})", {"/repetitions"}},
           {"a fraction", "{" + good + R"(,"repetitions":1.5})", {"/repetitions"}},
           {"a whole fraction", "{" + good + R"(,"repetitions":2.0})", {}},
           {"beyond 32 bits", "{" + good + R"(,"repetitions":2147483648})", {"/repetitions"}},
           {"inside a list",
            "{" + good + R"(,"testConfigs":[{"test":")" + id_text + R"("},{"repetitions":0}]})",
            {"/testConfigs/1/repetitions"}},
           {"no list", "{" + good + R"(,"testConfigs":{}})", {"/testConfigs"}},
           {"unknown and service fields are ignored",
            "{" + good + R"(,"x":1,"createdBy":7,"expected":"x"})",
            {}},
       }) {
    EXPECT_EQ(faults_of<parley::Run>(row.text, ParseMode::create), row.pointers) << row.name;
  }
}

TEST(Bodies, refuse_unknown_keys_where_the_client_asks_for_it_D5) {
  EXPECT_EQ(faults_of<Folder>(R"({"name":"x","a/b":1,"id":"known"})", ParseMode::create, true),
            std::vector<std::string>{"/a~1b"});
}

TEST(Bodies, of_a_patch_need_nothing_and_cannot_move_what_is_fixed) {
  EXPECT_TRUE(faults_of<parley::Test>("{}", ParseMode::patch).empty());
  const auto document = json::parse(R"({"scenario":")" + id_text + R"(","name":"new","description":null})");
  Findings findings;
  parley::Test test;
  test.description = "kept";
  Parser parser(document->root(), ParseMode::patch, "", findings);
  parley::Test::describe(test, parser);
  EXPECT_EQ(test.name, "new");
  EXPECT_EQ(test.description, "kept") << "a null equals leaving it out (D5)";
  EXPECT_TRUE(test.scenario.id.is_nil()) << "only POST sets it";
  EXPECT_TRUE(parser.gave("name"));
  EXPECT_FALSE(parser.gave("description"));
}

TEST(Bodies, count_characters_and_bytes) {
  const auto name_of = [](std::size_t chars) {
    std::string text = R"({"name":")";
    for (std::size_t i = 0; i < chars; ++i) text += "\xc3\xa4";
    return text + "\"}";
  };
  EXPECT_TRUE(faults_of<Folder>(name_of(limits::name_chars_max), ParseMode::create).empty());
  EXPECT_EQ(faults_of<Folder>(name_of(limits::name_chars_max + 1), ParseMode::create),
            std::vector<std::string>{"/name"});
  const auto metadata_of = [](std::size_t bytes) {
    return R"({ "metadata" : { "a" : ")" + std::string(bytes - 8, 'x') + R"(" } })";
  };
  EXPECT_TRUE(faults_of<EntryPatchBody>(metadata_of(limits::metadata_bytes_max), ParseMode::create).empty())
      << "white space does not count (D53)";
  EXPECT_EQ(faults_of<EntryPatchBody>(metadata_of(limits::metadata_bytes_max + 1), ParseMode::create),
            std::vector<std::string>{"/metadata"});
}

TEST(Bodies, measure_the_value_and_not_the_escapes_it_was_sent_with_D53_I57) {
  const auto metadata_of = [](std::string_view character, std::size_t count) {
    std::string text = R"({"metadata":{"a":")";
    for (std::size_t i = 0; i < count; ++i) text += character;
    return text + R"("}})";
  };
  const std::size_t fits = (limits::metadata_bytes_max - 8) / 2;  // two bytes each; {"a":""} takes eight
  for (const std::string_view character : {"\\u00e4", "\xc3\xa4", "\\n", "\\u000a", "\\\""}) {
    EXPECT_TRUE(faults_of<EntryPatchBody>(metadata_of(character, fits), ParseMode::create).empty())
        << character;
    EXPECT_EQ(faults_of<EntryPatchBody>(metadata_of(character, fits + 1), ParseMode::create),
              std::vector<std::string>{"/metadata"})
        << character;
  }
}

TEST(Findings, drop_further_faults_of_a_value_that_is_already_faulty_D3) {
  Findings findings;
  for (const std::string pointer : {"/a", "/a", "/a/b/c", "/ab", "/b/c", "/b", "/b/d"})
    findings.add(pointer, "x");
  std::vector<std::string> kept;
  for (const Fault& fault : findings.faults) kept.push_back(fault.pointer);
  EXPECT_EQ(kept, (std::vector<std::string>{"/a", "/ab", "/b/c", "/b"}));
  EXPECT_TRUE(findings.has("/b/c/d"));
  EXPECT_FALSE(findings.has("/c"));
  EXPECT_FALSE(findings.has(""));
  findings.add("", "y");
  EXPECT_TRUE(findings.has("/c")) << "a fault of the whole body is one of all that stands in it";
}

TEST(Bodies, take_one_id_for_a_list_of_one_and_name_their_links_D8) {
  const auto document =
      json::parse(R"({"agents":")" + id_text + R"(","folders":[")" + id_text + R"(",")" + id_text + R"("]})");
  Findings findings;
  Scenario scenario;
  Parser parser(document->root(), ParseMode::create, "", findings);
  Scenario::describe(scenario, parser);
  EXPECT_EQ(scenario.agents.size(), 1U);
  EXPECT_EQ(scenario.folders.size(), 1U) << "a link stands once";
  ASSERT_EQ(findings.links.size(), 3U);
  EXPECT_EQ(findings.links.at(0).pointer, "/agents");
  EXPECT_EQ(findings.links.at(2).pointer, "/folders/1");
}

}  // namespace
}  // namespace parley
