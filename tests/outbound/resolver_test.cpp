// Names that nobody waits for any more.

#include <gtest/gtest.h>

#include <set>

#include "tests/outbound/support/calls.hpp"

namespace parley::outbound {
namespace {

using namespace support;

/// A name server that looks at nothing before it is let go, and notes what it is asked for.
struct Names {
  std::promise<void> let_go;
  std::shared_future<void> gate = let_go.get_future().share();
  std::mutex mutex;
  std::vector<std::string> asked;
  std::promise<void> first;

  std::vector<Address> look_up(const std::string& name) {
    {
      const std::lock_guard lock(mutex);
      asked.push_back(name);
      if (asked.size() == 1) first.set_value();
    }
    gate.wait();
    return {};
  }
};

TEST(Resolver, looks_no_name_up_whose_callers_gave_up) {
  Names names;
  auto limits = small_limits();
  limits.lookups_max = 1;
  limits.connect_attempts = 1;
  HttpClient client(limits, open_guard(), [&](const std::string& name) { return names.look_up(name); });
  auto slow = begin(client, to("http://slow.example/"));
  names.first.get_future().get();
  CallId left = 0, one_of_two = 0;
  auto gone = begin(client, to("http://gone.example/"), {}, &left);
  auto other = begin(client, to("http://shared.example/"), {}, &one_of_two);
  auto stays = begin(client, to("http://shared.example/"));
  HttpRequest brief = to("http://brief.example/");
  brief.connect_ms = 20;
  EXPECT_EQ(word_of(begin(client, brief).get()), "connect") << "its time is over while it waits";
  client.cancel(left);
  client.cancel(one_of_two);
  EXPECT_EQ(word_of(gone.get()), "canceled");
  EXPECT_EQ(word_of(other.get()), "canceled");
  auto again = begin(client, to("http://gone.example/again"), {}, &left);
  client.cancel(left);
  EXPECT_EQ(word_of(again.get()), "canceled");
  names.let_go.set_value();
  EXPECT_EQ(word_of(slow.get()), "connect");
  EXPECT_EQ(word_of(stays.get()), "connect");
  const std::lock_guard lock(names.mutex);
  EXPECT_EQ(std::set<std::string>(names.asked.begin(), names.asked.end()),
            (std::set<std::string>{"slow.example", "shared.example"}));
}

}  // namespace
}  // namespace parley::outbound
