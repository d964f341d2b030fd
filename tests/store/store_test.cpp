#include "store/store.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

using testing::HasSubstr;

std::string refusal_of(const Options& options) {
  const auto opened = Store::open(options);
  if (opened) return "opened";
  EXPECT_EQ(opened.problem().kind, ProblemKind::store_refuses);
  return opened.problem().detail;
}

/// The problem detail of a refusal because of the file's content. The tools exit with a different code for it.
std::string damage_of(const Options& options) {
  const auto opened = Store::open(options);
  if (opened) return "opened";
  EXPECT_EQ(opened.problem().kind, ProblemKind::internal);
  return opened.problem().detail;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(Store, makes_its_directory_private_and_reopens_it) {
  World world;
  struct stat status {};
  ASSERT_EQ(::stat(world.options.directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  const Scenario scenario = world.scenario("kept");
  world.create(scenario);
  world.reopen();
  EXPECT_EQ(world.get<Scenario>(scenario.stamp.id).name, "kept");
}

TEST(Store, takes_a_path_with_a_slash_at_its_end_and_missing_parents) {
  World world;
  world.options.directory = world.home.path() / "a" / "b" / "";
  world.reopen();
  EXPECT_TRUE(std::filesystem::exists(world.home.path() / "a" / "b" / "data.mdb"));
}

TEST(Store, I14_a_second_store_on_the_directory_is_refused_by_name_and_touches_nothing) {
  World world;
  const auto before = std::filesystem::last_write_time(world.options.directory / "data.mdb");
  EXPECT_THAT(refusal_of(world.options),
              HasSubstr(world.options.directory.string() + " is in use by another"));
  EXPECT_EQ(std::filesystem::last_write_time(world.options.directory / "data.mdb"), before);
  world.create(world.scenario());
}

TEST(Store, I14_a_second_process_is_refused_too) {
  World world;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(Store::open(world.options).ok() ? 1 : 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Store, F13_a_directory_that_cannot_be_created_is_named) {
  World world;
  write_file(world.home.path() / "file", "x");
  Options options = world.options;
  options.directory = world.home.path() / "file" / "data";
  EXPECT_THAT(refusal_of(options), HasSubstr((world.home.path() / "file").string()));
}

TEST(Store, F14_a_newer_schema_is_refused_and_kept) {
  World world;
  ChangeSet set;
  std::string version;
  append_u32(version, 99);
  set.writes.push_back({TableId::meta, "schema", any_revision, frame("schema", 0, version)});
  world.must_commit(set);
  world.store.reset();
  EXPECT_THAT(refusal_of(world.options), HasSubstr("schema 99"));
  EXPECT_THAT(refusal_of(world.options), HasSubstr("newer parley"));
}

TEST(Store, F14_a_damaged_schema_version_is_refused) {
  World world;
  ChangeSet set;
  set.writes.push_back({TableId::meta, "schema", any_revision, "junk"});
  world.must_commit(set);
  world.store.reset();
  EXPECT_THAT(damage_of(world.options), HasSubstr("damaged"));
}

TEST(Store, F14_a_file_that_is_not_a_store_is_refused_with_advice) {
  World world;
  world.store.reset();
  const auto file = world.options.directory / "data.mdb";
  for (const std::string& content :
       {std::string("hello"), std::string(100'000, 'x'), std::string(8192, '\0')}) {
    write_file(file, content);
    EXPECT_THAT(damage_of(world.options), HasSubstr("Restore it from a backup")) << content.size();
  }
}

TEST(Store, F14_an_empty_or_missing_file_where_a_store_was_is_a_loss) {
  World world;
  world.store.reset();
  const auto file = world.options.directory / "data.mdb";
  write_file(file, "");
  EXPECT_THAT(damage_of(world.options), HasSubstr("is missing or empty"));
  std::filesystem::remove(file);
  EXPECT_THAT(damage_of(world.options), HasSubstr("is missing or empty"));
}

TEST(Store, F9_a_truncated_file_is_refused_before_it_is_read) {
  World world;
  const parley::Run run = world.run();
  ChangeSet set;
  set.create(run);
  for (int i = 0; i < 10'000; ++i) set.create(world.result(run));
  world.must_commit(set);
  world.store.reset();
  const auto file = world.options.directory / "data.mdb";
  ASSERT_GT(std::filesystem::file_size(file), 4'000'000U);
  std::filesystem::resize_file(file, 100'000);
  EXPECT_THAT(damage_of(world.options), HasSubstr("shorter than it was"));
}

TEST(Store, a_crash_before_the_first_store_was_made_leaves_a_fresh_start) {
  World world;
  world.store.reset();
  std::filesystem::remove_all(world.options.directory);
  std::filesystem::create_directory(world.options.directory);
  write_file(world.options.directory / "parley.lock", "");
  write_file(world.options.directory / "data.mdb", "");
  world.reopen();
  world.create(world.scenario());
}

TEST(Store, I2_a_first_start_that_lost_power_restarts) {
  World world;
  world.store.reset();
  // Some of the sectors of the very first write, and the mark that shows that they are parley's.
  write_file(world.options.directory / "data.mdb", std::string(4096, '\0') + "half a page");
  EXPECT_THAT(damage_of(world.options), HasSubstr("damaged or not parley's"));
  write_file(world.options.directory / "parley.lock", "parley begun\n");
  world.reopen();
  world.create(world.scenario());
  world.reopen();
  EXPECT_EQ(world.store->snapshot().ids_in({RecordKind::scenario, Facet::all}, {}, 10).size(), 1U);
}

TEST(Store, usage_reports_map_file_disk_and_snapshots) {
  World world;
  const Snapshot held = world.store->snapshot();
  const Usage usage = world.store->usage();
  EXPECT_EQ(usage.map_bytes, std::uint64_t{1} << 30);
  EXPECT_GT(usage.used_bytes, 0U);
  EXPECT_LT(usage.used_bytes, 1'000'000U);
  EXPECT_GT(usage.disk_free_bytes, 0U);
  EXPECT_EQ(usage.snapshots_open, 1U);
}

}  // namespace
}  // namespace parley::store
