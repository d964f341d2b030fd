// The log in a real PostgreSQL: order, fencing, uncertain outcomes, lost rows, bases and partitions.

#include "store/postgres/pg_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/store/postgres/postgres.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

constexpr std::size_t much = std::size_t{1} << 20;

class PgLogTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!Postgres::programs().empty()) server = std::make_unique<Postgres>();
  }
  static void TearDownTestSuite() { server.reset(); }

  void SetUp() override {
    ASSERT_TRUE(server) << "PostgreSQL is missing: run scripts/setup";
    server->sql("DROP SCHEMA IF EXISTS parley CASCADE");
    LogIdentity fresh;
    fresh.log = Id{{7}};
    fresh.keys = {"pepper", "secrets"};
    const auto begun = PgLog::begin(options(1), fresh);
    ASSERT_TRUE(begun.ok()) << begun.problem().detail;
    EXPECT_EQ(begun->log, fresh.log);
    EXPECT_EQ(begun->keys, fresh.keys);
    EXPECT_FALSE(begun->has_base);
    EXPECT_LE(std::abs(begun->clock_off_ms), 1) << "PostgreSQL rounds to milliseconds";
  }

  static PgLogOptions options(std::uint8_t node, std::uint64_t keep = std::uint64_t{2} << 30) {
    PgLogOptions made;
    made.url = server->url();
    made.node = Id{{node}};
    made.lease_ms = 1'000;
    made.keep_bytes = keep;
    return made;
  }
  static Leadership led(ChangeLog& log, std::optional<std::uint64_t> own = {}) {
    const auto leadership = log.lead(own);
    EXPECT_TRUE(leadership.ok() && *leadership);
    return leadership.ok() && *leadership ? **leadership : Leadership{};
  }
  static LogPosition appended(ChangeLog& log, const LogPosition& after, std::string_view body) {
    const Appended done = log.append(body, noon, after);
    EXPECT_EQ(done.kind, Appended::Kind::durable) << done.problem.detail;
    EXPECT_EQ(done.at, next_position(after, body));
    return done.at;
  }

  static std::unique_ptr<Postgres> server;
};
std::unique_ptr<Postgres> PgLogTest::server;

TEST_F(PgLogTest, a_second_beginner_gets_the_log_of_the_first) {
  LogIdentity other;
  other.log = Id{{8}};
  other.keys = {"x", "y"};
  EXPECT_EQ(PgLog::begin(options(2), other)->log, Id{{7}});
  EXPECT_EQ((*PgLog::find(options(2)))->keys.pepper, "pepper");
}

TEST_F(PgLogTest, rows_come_back_in_order_with_their_chain) {
  const auto log = PgLog::open(options(1));
  const Leadership leadership = led(*log);
  EXPECT_EQ(leadership.head, LogPosition{});
  LogPosition at;
  for (const char* body : {"first", "second", "third"}) at = appended(*log, at, body);
  const auto tail = PgLog::open(options(2))->read({}, {}, much);
  ASSERT_TRUE(tail.ok());
  ASSERT_EQ(tail->rows.size(), 3U);
  EXPECT_EQ(tail->rows[0].body, "first");
  EXPECT_EQ(tail->rows[2].at, at);
  EXPECT_EQ(tail->rows[2].node, Id{{1}});
  EXPECT_EQ(tail->rows[2].term, leadership.term);
  EXPECT_EQ(tail->rows[2].time, noon);
  EXPECT_EQ(log->read({}, {}, 1)->rows.size(), 1U) << "at least one row, however large";
  EXPECT_TRUE(log->read(at, tail->rows[1].at.digest, much)->rows.empty());
}

TEST_F(PgLogTest, one_node_leads_until_its_lease_ends) {
  const auto first = PgLog::open(options(1));
  const auto second = PgLog::open(options(2));
  const Leadership leadership = led(*first);
  EXPECT_FALSE(*second->lead(std::nullopt));
  EXPECT_TRUE(*first->renew());
  EXPECT_EQ(led(*first, leadership.term).term, leadership.term + 1) << "a node may raise its own term";
  ASSERT_TRUE(first->step_down().ok());
  EXPECT_EQ(led(*second).term, leadership.term + 2);
  EXPECT_FALSE(*first->renew());
  EXPECT_EQ(first->append("late", noon, {}).kind, Appended::Kind::fenced);
  std::this_thread::sleep_for(std::chrono::milliseconds(1'100));
  led(*first);
}

TEST_F(PgLogTest, an_append_after_another_row_than_the_head_is_fenced) {
  const auto log = PgLog::open(options(1));
  led(*log);
  const LogPosition at = appended(*log, {}, "first");
  EXPECT_EQ(log->append("blind", noon, {}).kind, Appended::Kind::fenced);
  EXPECT_EQ(log->append("forged", noon, {1, Digest256{1}}).kind, Appended::Kind::fenced);
  appended(*log, at, "second");
}

TEST_F(PgLogTest, a_restart_of_the_server_is_survived) {
  const auto log = PgLog::open(options(1));
  const Leadership leadership = led(*log);
  const LogPosition at = appended(*log, {}, "first");
  server->stop();
  EXPECT_FALSE(log->renew().ok());
  const Appended lost = log->append("second", noon, at);
  EXPECT_NE(lost.kind, Appended::Kind::durable);
  const auto fresh = PgLog::open(options(1));
  fresh->use_term(leadership.term);
  EXPECT_EQ(fresh->append("second", noon, at).kind, Appended::Kind::unsent);
  const auto away = log->lead(leadership.term);
  ASSERT_FALSE(away.ok());
  EXPECT_EQ(away.problem().kind, ProblemKind::busy);
  server->start();
  led(*log, leadership.term);
  EXPECT_TRUE(log->read(at, {}, much)->rows.empty());
  appended(*log, at, "second");
}

TEST_F(PgLogTest, distinguishes_a_lost_last_row_from_a_log_that_went_back) {
  const auto log = PgLog::open(options(1));
  led(*log);
  std::vector<LogPosition> places{{}};
  for (int i = 0; i < 4; ++i) places.push_back(appended(*log, places.back(), "row " + std::to_string(i)));
  const auto kind_at = [&](std::size_t seq) {
    const Digest256 before = seq == 0 ? Digest256{} : places[seq - 1].digest;
    return log->read(places[seq], before, much)->kind;
  };
  EXPECT_EQ(kind_at(4), LogTail::Kind::rows);
  server->sql(
      "DELETE FROM parley.log WHERE seq > 3; UPDATE parley.log_head SET seq = 3, digest = (SELECT digest "
      "FROM "
      "parley.log WHERE seq = 3)");
  EXPECT_EQ(kind_at(4), LogTail::Kind::last_row_lost);
  EXPECT_EQ(kind_at(3), LogTail::Kind::rows);
  LogPosition other = appended(*log, places[3], "another fourth row");
  EXPECT_EQ(kind_at(4), LogTail::Kind::last_row_lost);
  appended(*log, other, "a fifth row");
  EXPECT_EQ(kind_at(4), LogTail::Kind::last_row_lost);
  server->sql(
      "DELETE FROM parley.log WHERE seq > 2; UPDATE parley.log_head SET seq = 2, digest = (SELECT digest "
      "FROM "
      "parley.log WHERE seq = 2)");
  EXPECT_EQ(kind_at(4), LogTail::Kind::went_back);
  EXPECT_EQ(kind_at(3), LogTail::Kind::last_row_lost);
}

TEST_F(PgLogTest, a_base_comes_back_byte_for_byte_and_replaces_old_rows) {
  constexpr std::uint64_t keep = std::uint64_t{1} << 20;
  const auto log = PgLog::open(options(1, keep));
  led(*log);
  EXPECT_FALSE(*log->fetch_base("/dev/null"));
  LogPosition at;
  std::string body(20'000, 'x');
  for (int i = 0; i < 150; ++i) {
    body[0] = static_cast<char>(i);
    at = appended(*log, at, body);
  }
  const NodeRow self{Id{{1}}, "http://127.0.0.1:1", "0.1.0", "leader", at.seq, 0};
  EXPECT_GT(log->announce(self)->bytes, 2 * keep);
  const TemporaryDirectory home;
  std::ofstream(home.path() / "base") << std::string(3'000'000, 'b') << "end";
  ASSERT_TRUE(log->put_base(home.path() / "base", at).ok());
  ASSERT_TRUE(log->trim(keep / 2).ok());
  EXPECT_TRUE(*log->renew()) << "the lease may have run out meanwhile";
  const auto view = log->announce(self);
  EXPECT_LT(view->bytes, keep);
  ASSERT_EQ(view->nodes.size(), 1U);
  EXPECT_EQ(view->nodes[0].address, self.address);
  EXPECT_EQ(view->head, at);
  EXPECT_GT(view->lease_left_ms, 0);
  EXPECT_EQ(log->read({}, {}, much)->kind, LogTail::Kind::trimmed);
  EXPECT_EQ(*log->fetch_base(home.path() / "copy"), at);
  std::ifstream copy(home.path() / "copy");
  std::string text((std::istreambuf_iterator<char>(copy)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text, std::string(3'000'000, 'b') + "end");
  appended(*log, at, "after the trim");
}

TEST_F(PgLogTest, the_address_of_a_live_node_is_refused) {
  const auto log = PgLog::open(options(1));
  const NodeRow self{Id{{1}}, "http://a:1", "0.1.0", "leader", 0, 0};
  ASSERT_TRUE(log->announce(self).ok());
  EXPECT_TRUE(PgLog::claim_address(options(1), "http://a:1").ok());
  EXPECT_TRUE(PgLog::claim_address(options(2), "http://a:2").ok());
  std::atomic<bool> is_over{false};
  std::thread heart([&] {
    while (!is_over) {
      static_cast<void>(log->announce(self));
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  const auto claimed = PgLog::claim_address(options(2), "http://a:1");
  is_over = true;
  heart.join();
  ASSERT_FALSE(claimed.ok());
  EXPECT_EQ(claimed.problem().kind, ProblemKind::store_refuses);
  server->sql("UPDATE parley.nodes SET seen = seen - interval '11 s'");
  EXPECT_TRUE(PgLog::claim_address(options(2), "http://a:1").ok());
}

TEST_F(PgLogTest, one_of_two_nodes_gets_an_address_that_both_claim) {
  std::array<bool, 4> has_it{};
  std::vector<std::thread> claims;
  for (std::uint8_t i = 0; i < has_it.size(); ++i) {
    claims.emplace_back([&, i] {
      PgLogOptions own = options(static_cast<std::uint8_t>(i + 10));
      own.is_stopping = [until = std::chrono::steady_clock::now() + std::chrono::seconds(2)] {
        return std::chrono::steady_clock::now() > until;
      };
      has_it.at(i) = PgLog::claim_address(own, "http://a:9").ok();
    });
  }
  for (std::thread& each : claims) each.join();
  EXPECT_EQ(std::count(has_it.begin(), has_it.end(), true), 1);
  const auto winner =
      static_cast<std::uint8_t>(std::find(has_it.begin(), has_it.end(), true) - has_it.begin());
  PgLog::release_address(options(static_cast<std::uint8_t>(winner + 10)));
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_TRUE(PgLog::claim_address(options(20), "http://a:9").ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(2));
}

TEST(PgLogProblem, names_the_cause_and_never_the_password) {
  ASSERT_FALSE(Postgres::programs().empty()) << "PostgreSQL is missing: run scripts/setup";
  const Postgres server;
  PgLogOptions options;
  options.url = server.url();
  options.password = "s3cret-w0rd";
  options.url.replace(options.url.rfind('/'), std::string::npos, "/absent");
  auto found = PgLog::find(options);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.problem().kind, ProblemKind::store_refuses) << found.problem().detail;
  EXPECT_NE(found.problem().detail.find("no database absent"), std::string::npos) << found.problem().detail;
  options.url = "postgresql://parley@127.0.0.1:" + std::to_string(free_port()) + "/parley";
  found = PgLog::find(options);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.problem().kind, ProblemKind::busy);
  EXPECT_EQ(found.problem().detail.find("s3cret"), std::string::npos);
}

}  // namespace
}  // namespace parley::store
