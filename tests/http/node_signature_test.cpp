// Fields by which the nodes of a cluster recognize each other's requests: values that a client sends are not trusted.

#include "http/cluster/node_signature.hpp"

#include <gtest/gtest.h>

#include "http/cluster/cluster_desk.hpp"
#include "http/cluster/owned_request.hpp"

namespace parley::http {
namespace {

constexpr Time signing_time{1'700'000'000'000};

Keys keys_of(std::uint8_t first) {
  store::Key256 pepper{};
  pepper.front() = first;
  return Keys(pepper);
}

struct Stand {
  NodeSignature signature{keys_of(1)};
  Request request;
  outbound::Fields fields;

  Stand() {
    request.method = "POST";
    request.target = request.path = "/folders";
    request.body = R"({"name":"n"})";
    request.fields = {{"Host", "parley.example"}, {"Authorization", "Bearer k"}};
    fields = signature.sign(request, {"10.1.2.3", "parley.example"}, signing_time);
    for (const auto& [name, value] : fields) request.fields.push_back({name, value});
  }
};

TEST(NodeSignature, carries_the_client_and_its_host) {
  const Stand stand;
  const auto of = stand.signature.verify(stand.request, signing_time);
  ASSERT_TRUE(of);
  EXPECT_EQ(of->client, "10.1.2.3");
  EXPECT_EQ(of->host, "parley.example");
}

TEST(NodeSignature, holds_for_one_request_only) {
  const std::vector<std::function<void(Request&)>> changes{
      [](Request& r) { r.method = "PUT"; },
      [](Request& r) { r.target = "/users"; },
      [](Request& r) { r.body = R"({"name":"m"})"; },
      [](Request& r) { r.fields[1].value = "Bearer other"; },
      [](Request& r) {
        r.fields.push_back({"Cookie", "session=x"});
      },
      [](Request& r) {
        for (Field& field : r.fields) {
          if (field.name == "Parley-Client") field.value = "10.9.9.9";
        }
      },
      [](Request& r) { r.fields.push_back(r.fields.back()); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Stand stand;
    changes[i](stand.request);
    EXPECT_FALSE(stand.signature.verify(stand.request, signing_time)) << i;
  }
}

TEST(NodeSignature, holds_for_half_a_minute) {
  const Stand stand;
  EXPECT_TRUE(stand.signature.verify(stand.request, Time{signing_time.ms + 30'000}));
  EXPECT_FALSE(stand.signature.verify(stand.request, Time{signing_time.ms + 30'001}));
  EXPECT_FALSE(stand.signature.verify(stand.request, Time{signing_time.ms - 30'001}));
}

TEST(NodeSignature, needs_the_pepper_of_the_cluster) {
  const Stand stand;
  EXPECT_FALSE(NodeSignature(keys_of(2)).verify(stand.request, signing_time));
}

TEST(NodeSignature, leaves_no_field_of_its_own_in_the_request_as_it_was_sent) {
  const Stand stand;
  const PassedOn of{"10.1.2.3", "front.example"};
  const Request sent = ClusterDesk::as_sent(stand.request, of);
  EXPECT_EQ(sent.fields.size(), 2U);
  EXPECT_EQ(sent.text("Host"), "front.example");
}

TEST(OwnedRequest, outlives_the_buffer_of_the_connection) {
  std::string buffer = "POST /a?b=c X-Name value body";
  Request request;
  request.method = std::string_view(buffer).substr(0, 4);
  request.target = std::string_view(buffer).substr(5, 6);
  request.path = std::string_view(buffer).substr(5, 2);
  request.query = std::string_view(buffer).substr(8, 3);
  request.fields = {{std::string_view(buffer).substr(12, 6), std::string_view(buffer).substr(19, 5)}};
  request.body = std::string_view(buffer).substr(25);
  const OwnedRequest owned(request);
  buffer.assign(buffer.size(), '#');
  EXPECT_EQ(owned.view().method, "POST");
  EXPECT_EQ(owned.view().target, "/a?b=c");
  EXPECT_EQ(owned.view().path, "/a");
  EXPECT_EQ(owned.view().query, "b=c");
  EXPECT_EQ(owned.view().text("x-name"), "value");
  EXPECT_EQ(owned.view().body, "body");
}

}  // namespace
}  // namespace parley::http
