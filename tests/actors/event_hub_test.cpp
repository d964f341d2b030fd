#include "actors/streams/event_hub.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parley::actors {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PlainRenderer final : public EventRenderer {
 public:
  std::vector<StreamEvent> render(const store::Snapshot&, const std::vector<Moved>&, const Wanted&) override {
    return {};
  }
  std::vector<Id> touched_runs() const override { return {}; }
  std::optional<StreamEvent> render_run(const store::Snapshot&, const Id&) override { return std::nullopt; }
  std::string framed(std::string_view text) const override { return std::string(text); }
};

struct KeptSink final : EventSink {
  bool push(const std::shared_ptr<const std::string>& piece) override {
    if (has_left) return false;
    text += *piece;
    return true;
  }
  void end() override { has_ended = true; }
  std::string text;
  bool has_left = false;
  bool has_ended = false;
};

class Hub : public ::testing::Test {
 protected:
  struct Client {
    std::shared_ptr<KeptSink> sink = std::make_shared<KeptSink>();
    std::optional<Problem> refused;
  };
  std::shared_ptr<Client> enter(std::vector<Topic> topics, std::string last = "", Id session = {}) {
    auto client = std::make_shared<Client>();
    Watch watch;
    watch.session = session;
    watch.topics = std::move(topics);
    watch.last_event_id = std::move(last);
    watch.right = "read";
    watch.reason_to_end = [](const store::Snapshot&) { return std::nullopt; };
    watch.open = [client] { return client->sink; };
    watch.refuse = [client](Problem why) { client->refused = std::move(why); };
    hub.enter(std::move(watch), now);
    return client;
  }
  void publish(Topic topic, std::string data) { hub.publish({{{topic}, "run", std::move(data)}}); }

  static inline const Topic runs{TopicKind::runs, {}};
  static inline const Topic agents{TopicKind::agents, {}};
  Time now{1'000};
  EventHub hub{"epoch", std::make_shared<PlainRenderer>()};
};

TEST_F(Hub, greets_and_gives_each_stream_what_it_watches) {
  const auto client = enter({runs});
  publish(runs, "1");
  publish(agents, "2");
  EXPECT_THAT(client->sink->text,
              HasSubstr("retry: 2000\n\nid: epoch-0\nevent: hello\ndata: {\"epoch\":\"epoch\""));
  EXPECT_THAT(client->sink->text, HasSubstr("\"resumed\":false"));
  EXPECT_THAT(client->sink->text, HasSubstr("id: epoch-1\nevent: run\ndata: 1\n\n"));
  EXPECT_THAT(client->sink->text, Not(HasSubstr("data: 2")));
}

TEST_F(Hub, replays_what_a_client_missed) {
  const auto first = enter({runs});
  publish(runs, "1");
  first->sink->has_left = true;
  publish(runs, "2");
  publish(runs, "3");
  EXPECT_EQ(hub.streams(), 0U);
  const auto again = enter({runs}, "epoch-1");
  EXPECT_THAT(again->sink->text, HasSubstr("\"resumed\":true"));
  EXPECT_THAT(again->sink->text, HasSubstr("data: 2\n\nid: epoch-3\nevent: run\ndata: 3\n\n"));
  EXPECT_THAT(again->sink->text, Not(HasSubstr("reset")));
}

TEST_F(Hub, resets_a_client_whose_events_it_does_not_know) {
  enter({runs});
  publish(runs, "1");
  for (const std::string last : {"other-1", "epoch-7", "epoch-x", "epoch", "epoch--1"})
    EXPECT_THAT(enter({runs}, last)->sink->text, HasSubstr("event: reset")) << last;
  EXPECT_THAT(enter({agents}, "epoch-0")->sink->text, HasSubstr("event: reset"))
      << "nothing was recorded for a topic that no client watched";
  for (std::size_t i = 0; i <= ring_events_max; ++i) publish(runs, "x");
  EXPECT_THAT(enter({runs}, "epoch-1")->sink->text, HasSubstr("event: reset")) << "the ring was overrun";
}

TEST_F(Hub, keeps_at_most_eight_streams_of_a_session_and_a_thousand_in_all) {
  const Id session = make_id(Time{1}, {1});
  const auto oldest = enter({runs}, "", session);
  for (int i = 0; i < 8; ++i) enter({runs}, "", session);
  EXPECT_THAT(oldest->sink->text, HasSubstr("event: bye\ndata: {\"reason\":\"superseded\"}"));
  EXPECT_TRUE(oldest->sink->has_ended);
  while (hub.streams() < streams_max) enter({runs});
  EXPECT_EQ(enter({runs})->refused->status(), 503);
}

TEST_F(Hub, looks_for_clients_that_have_left_when_no_stream_is_free_once_a_second) {
  const auto first = enter({runs});
  const auto second = enter({runs});
  while (hub.streams() < streams_max) enter({runs});
  first->sink->has_left = true;
  EXPECT_FALSE(enter({runs})->refused);
  second->sink->has_left = true;
  EXPECT_EQ(enter({runs})->refused->status(), 503);
  now = Time{now.ms + ask_again_ms};
  EXPECT_FALSE(enter({runs})->refused);
}

TEST_F(Hub, forgets_topics_that_no_client_watches) {
  const auto client = enter({runs});
  client->sink->has_left = true;
  hub.comment();
  hub.forget_topics(Time{now.ms + interest_kept_ms});
  EXPECT_TRUE(hub.is_active());
  hub.forget_topics(Time{now.ms + interest_kept_ms + 60'001});
  EXPECT_FALSE(hub.is_active());
}

TEST_F(Hub, says_goodbye_when_the_server_stops) {
  const auto client = enter({runs});
  hub.end_all();
  EXPECT_THAT(client->sink->text, HasSubstr("{\"reason\":\"drain\"}"));
  EXPECT_EQ(enter({runs})->refused->status(), 503);
}

TEST(EventRing, is_bounded_by_bytes) {
  EventRing ring;
  const auto piece = std::make_shared<const std::string>(1024 * 1024, 'x');
  for (std::uint64_t i = 1; i <= 40; ++i) ring.add({i, {}, piece});
  EXPECT_EQ(ring.events().size(), 16U);
  EXPECT_EQ(ring.oldest(41), 25U);
}

}  // namespace
}  // namespace parley::actors
