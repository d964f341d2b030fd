// Model answers that are cached by question.

#include "store/side/answer_cache_table.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

std::string digest_of(std::initializer_list<std::string_view> parts) {
  const std::vector<std::string_view> all(parts);
  return answer_digest(all);
}

std::optional<std::string> found_in(World& world, const std::string& digest) {
  auto answer = kept_answer(world.store->snapshot(), digest);
  if (!answer) ADD_FAILURE() << answer.problem().detail;
  return answer ? *answer : std::nullopt;
}

void keep_in(World& world, const std::string& digest, std::string_view body) {
  ChangeSet set;
  keep_answer(set, digest, body);
  world.must_commit(set);
}

TEST(KeptAnswers, are_found_only_by_the_whole_question) {
  World world;
  const std::string asked = digest_of({"judge", "http://x", "{}", "0"});
  keep_in(world, asked, "said");
  EXPECT_EQ(found_in(world, asked), "said");
  EXPECT_EQ(found_in(world, digest_of({"judge", "http://x", "{}", "1"})), std::nullopt);
  EXPECT_EQ(found_in(world, digest_of({"judge", "http://x{}", "", "0"})), std::nullopt)
      << "parts do not run together";
  world.reopen();
  EXPECT_EQ(found_in(world, asked), "said");
}

TEST(KeptAnswers, are_replaced_by_newer_ones_in_the_same_place) {
  World world;
  const std::string first = digest_of({"a"});
  std::string second = first;
  second.back() = static_cast<char>(second.back() ^ 1);  // the same place, but another question
  keep_in(world, first, "one");
  keep_in(world, second, "two");
  EXPECT_EQ(found_in(world, first), std::nullopt);
  EXPECT_EQ(found_in(world, second), "two");
}

TEST(KeptAnswers, are_not_kept_beyond_their_bound) {
  World world;
  const std::string asked = digest_of({"a"});
  keep_in(world, asked, std::string(answer_bytes_max, 'x'));
  EXPECT_EQ(found_in(world, asked)->size(), answer_bytes_max);
  ChangeSet set;
  keep_answer(set, digest_of({"b"}), std::string(answer_bytes_max + 1, 'x'));
  EXPECT_TRUE(set.writes.empty());
}

TEST(KeptAnswers, are_removed_in_steps) {
  World world;
  const std::string first = digest_of({"a"});
  const std::string second = digest_of({"b"});
  keep_in(world, first, "one");
  keep_in(world, second, "two");
  for (const std::size_t expected : {1U, 1U, 0U}) {
    ChangeSet set;
    EXPECT_EQ(forget_answers(world.store->snapshot(), 1, set), expected);
    world.must_commit(set);
  }
  EXPECT_EQ(found_in(world, first), std::nullopt);
  EXPECT_EQ(found_in(world, second), std::nullopt);
}

}  // namespace
}  // namespace parley::store
