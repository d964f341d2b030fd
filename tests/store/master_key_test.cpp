#include "store/secrets/master_key.hpp"

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

/// A store whose master key is in its directory, as after a first start.
class KeyedWorld : public World {
 public:
  KeyedWorld() { EXPECT_TRUE(open_secrets(*store, source, false).ok()); }

  [[nodiscard]] std::filesystem::path file() const { return options.directory / "secrets.key"; }
  MasterKeySource source{options.directory, std::nullopt};
};

TEST(MasterKey, is_the_same_after_a_restart_D23) {
  KeyedWorld world;
  const auto sealed = open_secrets(*world.store, world.source, false).value().seal(Id{{1}}, "token", "plain");
  world.reopen();
  const auto secrets = open_secrets(*world.store, world.source, false);
  ASSERT_TRUE(secrets.ok());
  EXPECT_EQ(secrets->unseal(Id{{1}}, "token", sealed).value(), "plain");
  EXPECT_TRUE(check_master_key(world.store->snapshot(), world.source).ok());
}

TEST(MasterKey, is_reported_and_not_replaced_when_it_is_missing) {
  KeyedWorld world;
  std::filesystem::remove(world.file());
  world.reopen();
  const auto secrets = open_secrets(*world.store, world.source, false);
  ASSERT_FALSE(secrets.ok());
  EXPECT_EQ(secrets.problem().kind, ProblemKind::store_refuses);
  EXPECT_NE(secrets.problem().detail.find("is missing"), std::string::npos) << secrets.problem().detail;
  EXPECT_FALSE(std::filesystem::exists(world.file()));
  EXPECT_FALSE(check_master_key(world.store->snapshot(), world.source).ok());
}

TEST(MasterKey, of_another_store_is_refused) {
  KeyedWorld world;
  const MasterKeySource given{world.options.directory, std::string(64, 'a')};
  const auto secrets = open_secrets(*world.store, given, false);
  ASSERT_FALSE(secrets.ok());
  EXPECT_NE(secrets.problem().detail.find("PARLEY_SECRETS_KEY is not the key"), std::string::npos);
  EXPECT_FALSE(check_master_key(world.store->snapshot(), given).ok());
  EXPECT_TRUE(check_master_key(world.store->snapshot(), world.source).ok());
}

TEST(MasterKey, that_is_lost_may_be_replaced_on_request) {
  KeyedWorld world;
  const std::string sealed =
      open_secrets(*world.store, world.source, false).value().seal(Id{{1}}, "token", "plain");
  std::filesystem::remove(world.file());
  const auto secrets = open_secrets(*world.store, world.source, true);
  ASSERT_TRUE(secrets.ok());
  EXPECT_FALSE(secrets->unseal(Id{{1}}, "token", sealed).ok());
  world.reopen();
  EXPECT_TRUE(open_secrets(*world.store, world.source, false).ok()) << "it is the store's key from then on";
}

/// The state that schema 6 left: no fingerprint is stored.
TEST(MasterKey, is_not_replaced_when_it_is_missing_and_schema_6_sealed_secrets_with_it) {
  World world;
  const MasterKeySource source{world.options.directory, std::nullopt};
  Agent agent;
  agent.stamp = {world.id(), noon, 1};
  world.create(agent);
  EXPECT_TRUE(check_master_key(world.store->snapshot(), source).ok()) << "nothing is sealed";
  agent.stamp.id = world.id();
  agent.secrets = json::Text{R"({"token":"v1:sealed"})"};
  world.create(agent);
  EXPECT_FALSE(check_master_key(world.store->snapshot(), source).ok());
  const auto refused = open_secrets(*world.store, source, false);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.problem().detail.find("is missing"), std::string::npos) << refused.problem().detail;
  EXPECT_NE(refused.problem().detail.find("--new-secrets-key true"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(source.directory / "secrets.key"));
  std::ofstream(source.directory / "secrets.key") << std::string(64, 'a') << "\n";
  std::filesystem::permissions(source.directory / "secrets.key", std::filesystem::perms(0600));
  EXPECT_TRUE(open_secrets(*world.store, source, false).ok()) << "it was restored, and is remembered";
  std::filesystem::remove(source.directory / "secrets.key");
  EXPECT_TRUE(open_secrets(*world.store, source, true).ok());
}

TEST(MasterKey, is_not_required_by_tools_before_the_first_start) {
  World world;
  EXPECT_TRUE(check_master_key(world.store->snapshot(), {world.options.directory, std::nullopt}).ok());
  EXPECT_FALSE(std::filesystem::exists(world.options.directory / "secrets.key"));
}

}  // namespace
}  // namespace parley::store
