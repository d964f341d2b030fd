#include "model/records/service_metadata.hpp"

#include "model/json/json_writer.hpp"
#include "model/values/metadata.hpp"

namespace parley {
namespace {

constexpr std::string_view rule = "is written by the service; leave it out or send it as it is";

}  // namespace

json::Text service_metadata(const ResultHead& head) {
  json::Writer out;
  out.begin_object();
  if (head.previous) out.member("previous_test_result_id", *head.previous);
  if (head.tester) out.member("tester", *head.tester);
  if (head.error) out.key("error").raw(head.error->text);
  out.end_object();
  return {std::move(out).text()};
}

ServiceKeys without_service_keys(const json::Text& metadata, const ResultHead& head) {
  ServiceKeys found{{}, metadata};
  const json::Text own = service_metadata(head);
  const auto sent = json::parse(metadata.text);
  const auto written = json::parse(own.text);
  if (!sent.ok() || !written.ok()) return found;
  std::vector<std::string_view> keys;
  const auto members = written->root().children();
  for (const json::Value& member : members) {
    const auto given = sent->root().find(member.key());
    if (given && !json::equal(*given, member))
      found.faults.push_back({"/metadata/" + json::pointer_token(member.key()), {}, std::string(rule)});
    keys.push_back(member.key());
  }
  if (!keys.empty()) found.rest = without(metadata, keys);
  return found;
}

}  // namespace parley
