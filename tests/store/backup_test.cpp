#include "store/secrets/backup.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iostream>

#include "store/secrets/key_file.hpp"
#include "store/secrets/master_key.hpp"
#include "store/secrets/pepper.hpp"
#include "store/views/verify.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

namespace fs = std::filesystem;

/// A store with some records, its keys, and the paths that a test uses.
class Backup : public ::testing::Test {
 protected:
  Backup() {
    for (const char* name : {"pepper.key", "secrets.key"})
      EXPECT_TRUE(read_or_make_key(world.options.directory / name).ok());
    run = world.run();
    world.create(run);
    for (int i = 0; i < 50; ++i) world.create(world.result(run));
  }
  [[nodiscard]] Expected<BackupReport> back() { return back_up(world.options.directory, file); }
  /// Backs up from another process, as the command does. In the process that holds the store open, LMDB 0.9.31 destroys
  /// the store's locks when the second environment closes. Returns the number of values; 0 if the backup failed.
  [[nodiscard]] std::uint64_t back_from_another_process() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto report = back();
      if (!report) std::cerr << report.problem().detail << std::endl;
      const std::uint64_t values = report ? report->values : 0;
      const bool was_written =
          ::write(ends[1], &values, sizeof values) == static_cast<ssize_t>(sizeof values);
      ::_exit(was_written ? 0 : 1);
    }
    ::close(ends[1]);
    std::uint64_t values = 0;
    EXPECT_EQ(::read(ends[0], &values, sizeof values), static_cast<ssize_t>(sizeof values));
    ::close(ends[0]);
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
    return values;
  }
  [[nodiscard]] Expected<BackupReport> bring_back() { return restore({file, keys_path_for(file)}, place); }
  [[nodiscard]] std::string text_of(const fs::path& path) const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  World world;
  parley::Run run;
  fs::path file = world.home.path() / "backup";
  fs::path place = world.home.path() / "restored";
};

TEST_F(Backup, of_an_open_store_holds_what_was_committed_before_it_F15) {
  const std::uint64_t values = back_from_another_process();
  EXPECT_GE(values, 51U) << "a run and fifty results";
  const Scenario later = world.scenario("later");
  world.create(later);
  const auto restored = bring_back();
  ASSERT_TRUE(restored.ok()) << restored.problem().detail;
  EXPECT_EQ(restored->values, values);
  Options options = world.options;
  options.directory = place;
  const auto opened = Store::open(options);
  ASSERT_TRUE(opened.ok());
  const Snapshot snapshot = (*opened)->snapshot();
  EXPECT_EQ(snapshot.run_counters(run.stamp.id)->pending, 50);
  EXPECT_FALSE(snapshot.has(RecordKind::scenario, later.stamp.id));
  EXPECT_TRUE(recount(snapshot)->empty());
  for (const char* name : {"pepper.key", "secrets.key"})
    EXPECT_EQ(text_of(place / name), text_of(world.options.directory / name));
}

TEST_F(Backup, never_overwrites_files) {
  ASSERT_TRUE(back().ok());
  EXPECT_FALSE(back().ok()) << "the file is there already";
  fs::create_directory(place);
  std::ofstream(place / "mine") << "text";
  EXPECT_FALSE(bring_back().ok());
  EXPECT_EQ(text_of(place / "mine"), "text");
  fs::remove(place / "mine");
  EXPECT_TRUE(bring_back().ok()) << "an empty directory may be filled";
}

TEST_F(Backup, that_is_damaged_or_without_keys_makes_no_directory) {
  ASSERT_TRUE(back().ok());
  const std::string whole = text_of(file);
  std::string flipped = whole;
  const std::string mark = "\"status\":\"new\"";
  const auto at = flipped.find(mark);
  ASSERT_NE(at, std::string::npos);
  flipped[at + 11] ^= 1;
  for (const std::string& damaged : {flipped, whole.substr(0, whole.size() / 2), std::string("text")}) {
    std::ofstream(file, std::ios::trunc) << damaged;
    EXPECT_FALSE(bring_back().ok());
    EXPECT_FALSE(fs::exists(place));
  }
  std::ofstream(file, std::ios::trunc) << whole;
  std::ofstream(keys_path_for(file), std::ios::trunc) << "pepper.key short\n";
  EXPECT_FALSE(bring_back().ok());
  fs::remove(keys_path_for(file));
  EXPECT_FALSE(bring_back().ok());
  EXPECT_FALSE(fs::exists(place));
  for (const auto& each : fs::directory_iterator(world.home.path()))
    EXPECT_EQ(each.path().string().find("partial"), std::string::npos) << each.path();
}

TEST_F(Backup, refuses_keys_of_another_store) {
  const MasterKeySource own{world.options.directory, std::nullopt};
  ASSERT_TRUE(open_secrets(*world.store, own, false).ok());
  ASSERT_TRUE(back().ok());
  const fs::path keys = keys_path_for(file);
  const std::string right = text_of(keys);
  std::string wrong = right;
  wrong[wrong.size() - 2] = wrong[wrong.size() - 2] == 'a' ? 'b' : 'a';
  std::ofstream(keys) << wrong;
  const auto refused = bring_back();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.problem().kind, ProblemKind::store_refuses);
  EXPECT_NE(refused.problem().detail.find("not those of the store"), std::string::npos);
  EXPECT_FALSE(fs::exists(place));
  const auto at = right.find("secrets.key ");
  const std::string master = right.substr(at + std::string("secrets.key ").size(), 64);
  EXPECT_FALSE(restore({file, keys, {std::string(64, 'a')}}, place).ok());
  EXPECT_TRUE(restore({file, keys, {master}}, place).ok()) << "a server would take this one";
  fs::remove_all(place);
  std::ofstream(keys) << right.substr(0, at);
  EXPECT_TRUE(bring_back().ok()) << "the key is the operator's to bring";
  fs::remove_all(place);
  std::ofstream(keys) << right;
  EXPECT_TRUE(bring_back().ok());
}

TEST_F(Backup, needs_no_key_files_if_the_environment_gives_the_keys) {
  for (const char* name : {"pepper.key", "secrets.key"}) fs::remove(world.options.directory / name);
  const std::string pepper(64, 'b');
  const std::string master(64, 'c');
  ASSERT_TRUE(open_pepper(*world.store, world.options.directory, pepper).ok());
  ASSERT_TRUE(open_secrets(*world.store, {world.options.directory, master}, false).ok());
  ApiKey key;
  key.stamp = {world.id(), noon, 1};
  world.create(key);
  EXPECT_NE(back().problem().detail.find("PARLEY_PEPPER_KEY is not set"), std::string::npos);
  EXPECT_FALSE(back_up(world.options.directory, file, {master, std::string(64, 'a')}).ok());
  ASSERT_TRUE(back_up(world.options.directory, file, {master, pepper}).ok());
  EXPECT_EQ(text_of(keys_path_for(file)), "") << "the keys are the operator's to keep";
  EXPECT_FALSE(bring_back().ok());
  EXPECT_TRUE(restore({file, keys_path_for(file), {master, pepper}}, place).ok());
}

TEST_F(Backup, is_refused_if_it_could_not_be_restored) {
  const fs::path pepper = world.options.directory / "pepper.key";
  const std::string right = text_of(pepper);
  ASSERT_TRUE(open_pepper(*world.store, world.options.directory).ok());
  ASSERT_TRUE(open_secrets(*world.store, {world.options.directory, std::nullopt}, false).ok());
  ApiKey key;
  key.stamp = {world.id(), noon, 1};
  world.create(key);
  const auto refused = [&](const std::string& why) {
    const auto report = back();
    ASSERT_FALSE(report.ok()) << why;
    EXPECT_EQ(report.problem().kind, ProblemKind::internal);
    EXPECT_NE(report.problem().detail.find(why), std::string::npos) << report.problem().detail;
    EXPECT_FALSE(fs::exists(file));
    EXPECT_FALSE(fs::exists(keys_path_for(file)));
  };
  std::ofstream(pepper, std::ios::trunc) << "abcdef\n";
  refused("is damaged or not parley's");
  std::ofstream(pepper, std::ios::trunc) << "";
  refused("lacks pepper.key");
  std::ofstream(pepper, std::ios::trunc) << std::string(64, 'a') << "\n";
  refused("keys that are not those of the store");
  fs::remove(pepper);
  refused("lacks pepper.key");
  ASSERT_TRUE(write_private_file(pepper, right).ok());
  const std::string master = text_of(world.options.directory / "secrets.key");
  std::ofstream(world.options.directory / "secrets.key", std::ios::trunc) << std::string(64, 'a') << "\n";
  refused("keys that are not those of the store");
  EXPECT_TRUE(back_up(world.options.directory, file, {master.substr(0, 64)}).ok())
      << "a server with this variable would take the restored store";
  fs::remove(file);
  fs::remove(keys_path_for(file));
  ASSERT_TRUE(write_private_file(world.options.directory / "secrets.key", master).ok());
  ASSERT_TRUE(back().ok());
  EXPECT_TRUE(bring_back().ok());
}

TEST_F(Backup, verifies_like_the_store) {
  const auto verdict = verify(world.store->snapshot());
  ASSERT_TRUE(verdict.ok());
  EXPECT_TRUE(verdict->is_good());
  EXPECT_GE(verdict->values, 51u) << "a run and fifty results";
}

}  // namespace
}  // namespace parley::store
