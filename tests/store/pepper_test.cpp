#include "store/secrets/pepper.hpp"

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

/// A store with an API key, and the pepper of its first start.
class PepperedWorld : public World {
 public:
  PepperedWorld() {
    EXPECT_TRUE(open_pepper(*store, options.directory).ok());
    ApiKey key;
    key.stamp = {id(), noon, 1};
    create(key);
  }
  [[nodiscard]] std::filesystem::path file() const { return options.directory / "pepper.key"; }
  void write(const std::string& text) { ASSERT_TRUE(write_private_file(file(), text).ok()); }
  [[nodiscard]] std::string fault() {
    const auto opened = open_pepper(*store, options.directory);
    const auto checked = check_pepper(store->snapshot(), options.directory);
    EXPECT_EQ(opened.ok(), checked.ok());
    return opened ? "" : opened.problem().detail;
  }
};

TEST(Pepper, is_the_same_after_a_restart) {
  PepperedWorld world;
  const Key256 first = open_pepper(*world.store, world.options.directory).value();
  world.reopen();
  EXPECT_EQ(open_pepper(*world.store, world.options.directory).value(), first);
}

TEST(Pepper, of_another_store_is_refused) {
  PepperedWorld world;
  world.write(std::string(64, 'a') + "\n");
  EXPECT_NE(world.fault().find("is not the pepper of this store's API keys"), std::string::npos);
}

TEST(Pepper, is_reported_and_not_replaced_when_it_is_missing_cut_or_open_to_others) {
  PepperedWorld world;
  for (const std::string text : {"", "abcdef", "no key\n"}) {
    world.write(text);
    EXPECT_NE(world.fault().find("is not a key of 64 hex digits"), std::string::npos) << text;
  }
  std::filesystem::permissions(world.file(), std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  EXPECT_NE(world.fault().find("is open to other users"), std::string::npos);
  std::filesystem::remove(world.file());
  EXPECT_NE(world.fault().find("is missing"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(world.file()));
}

TEST(Pepper, of_an_older_parley_gets_a_fingerprint) {
  World world;
  ApiKey key;
  key.stamp = {world.id(), noon, 1};
  world.create(key);
  ASSERT_TRUE(read_or_make_key(world.options.directory / "pepper.key").ok());
  EXPECT_TRUE(check_pepper(world.store->snapshot(), world.options.directory).ok());
  ASSERT_TRUE(open_pepper(*world.store, world.options.directory).ok());
  ASSERT_TRUE(write_private_file(world.options.directory / "pepper.key", std::string(64, 'a') + "\n").ok());
  EXPECT_FALSE(open_pepper(*world.store, world.options.directory).ok());
}

TEST(Pepper, may_change_while_there_are_no_keys) {
  World world;
  ASSERT_TRUE(open_pepper(*world.store, world.options.directory).ok());
  std::filesystem::remove(world.options.directory / "pepper.key");
  EXPECT_TRUE(open_pepper(*world.store, world.options.directory).ok());
  ApiKey key;
  key.stamp = {world.id(), noon, 1};
  world.create(key);
  EXPECT_TRUE(open_pepper(*world.store, world.options.directory).ok()) << "the new one is the store's";
}

}  // namespace
}  // namespace parley::store
