#include "client/remote/api.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace parley::client {
namespace {

constexpr std::chrono::milliseconds first_pause{50};
constexpr std::chrono::milliseconds pause_max{1'000};

ProblemKind kind_of(int status, std::string_view type) {
  for (const ProblemRow& row : problem_rows()) {
    if (type.ends_with("/" + std::string(row.slug))) return row.kind;
  }
  for (const ProblemRow& row : problem_rows()) {
    if (row.status == status) return row.kind;
  }
  return status >= 500 ? ProblemKind::internal : ProblemKind::invalid_body;
}

/// Converts an error answer into a Problem.
Problem problem_of(const HttpAnswer& answer, const std::string& what) {
  const auto parsed = json::parse(answer.body, json::outside);
  if (!parsed || !parsed->root().is(json::Kind::object) || text_at(parsed->root(), "type").empty()) {
    return problem(answer.status >= 500 ? ProblemKind::internal : ProblemKind::not_found,
                   what + ": status " + std::to_string(answer.status) +
                       " and no problem document; is this the URL of a parley server?");
  }
  const json::Value root = parsed->root();
  // A server that takes no writes, because its disk is full for example, is unavailable. In the client,
  // store_refuses means that the local data are damaged.
  const ProblemKind kind = kind_of(answer.status, text_at(root, "type"));
  Problem found =
      problem(kind == ProblemKind::store_refuses ? ProblemKind::busy : kind, text_at(root, "detail"));
  if (const auto errors = json::given(root, "errors"); errors && errors->is(json::Kind::array)) {
    for (const json::Value& each : errors->children())
      found.faults.push_back({text_at(each, "pointer"), text_at(each, "parameter"), text_at(each, "detail")});
  }
  if (!found.faults.empty()) {
    const Fault& first = found.faults.front();
    const std::string& where = first.pointer.empty() ? first.parameter : first.pointer;
    found.detail = (where.empty() ? "" : where + ": ") + first.detail;
  }
  return found;
}

/// Whether a retry may succeed.
bool is_passing(const Problem& found) {
  const int status = found.status();
  return found.detail != call_interrupted &&
         (status == 503 || status == 429 || found.kind == ProblemKind::idempotency_key_in_progress);
}

}  // namespace

Expected<json::Document> Api::once(const std::string& method, const std::string& path,
                                   const CallOptions& options) {
  HttpRequest request{method, path, options.body, {}, options.timeout_ms};
  if (!options.content_type.empty()) request.headers.emplace_back("Content-Type", options.content_type);
  if (!options.prefer.empty()) request.headers.emplace_back("Prefer", options.prefer);
  if (!options.idempotency_key.empty())
    request.headers.emplace_back("Idempotency-Key", options.idempotency_key);
  TRY(answer, http_.call(request));
  if (answer.status == 401) {
    const std::string& url = http_.server().url;
    return problem(ProblemKind::unauthorized,
                   url + " refuses the key: check PARLEY_KEY, or run `parley login " + url + "`");
  }
  if (answer.status < 200 || answer.status > 299) return problem_of(answer, method + " " + path);
  auto parsed = json::parse(answer.body.empty() ? "null" : answer.body);
  if (!parsed)
    return problem(ProblemKind::internal, method + " " + path + ": the answer is not JSON; is " +
                                              http_.server().url + " a parley server?");
  return std::move(parsed).value();
}

Expected<json::Document> Api::call(const std::string& method, const std::string& path,
                                   const CallOptions& options) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
  auto pause = first_pause;
  while (true) {
    auto answer = once(method, path, options);
    // A POST whose outcome is unknown is repeated only with an Idempotency-Key.
    const bool may_repeat =
        method != "POST" || !options.idempotency_key.empty() || (!answer && answer.problem().status() == 429);
    if (answer || !may_repeat || !is_passing(answer.problem()) ||
        std::chrono::steady_clock::now() + pause >= until)
      return answer;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, pause_max);
  }
}

Expected<Done> Api::each_row(const std::string& path, std::size_t rows_of_page,
                             const std::function<bool(const json::Value& row)>& take) {
  const std::string joined = path + (path.find('?') == std::string::npos ? "?" : "&");
  for (std::size_t page = 1;; ++page) {
    TRY(answer, get(joined + "limit=" + std::to_string(rows_of_page) + "&page=" + std::to_string(page)));
    const auto rows = answer.root().find("data");
    if (!rows) return problem(ProblemKind::internal, path + ": the answer is not a list");
    for (const json::Value& row : rows->children())
      if (!take(row)) return Done{};
    const auto total = static_cast<std::size_t>(integer_at(answer.root(), "total"));
    if (page * rows_of_page >= total) return Done{};
  }
}

std::string text_at(const json::Value& object, std::string_view key) {
  const auto found = object.find(key);
  return found && found->is(json::Kind::string) ? std::string(found->string()) : "";
}

std::optional<double> number_at(const json::Value& object, std::string_view key) {
  const auto found = object.find(key);
  return found && found->is(json::Kind::number) ? std::optional(found->number()) : std::nullopt;
}

std::int64_t integer_at(const json::Value& object, std::string_view key) {
  const auto found = object.find(key);
  return found && found->is(json::Kind::number) ? found->integer().value_or(0) : 0;
}

bool flag_at(const json::Value& object, std::string_view key) {
  const auto found = object.find(key);
  return found && found->is(json::Kind::boolean) && found->boolean();
}

std::string link_id(const json::Value& object, std::string_view key) {
  const auto found = object.find(key);
  if (!found) return "";
  return found->is(json::Kind::string) ? std::string(found->string()) : text_at(*found, "id");
}

std::string link_name(const json::Value& object, std::string_view key) {
  const auto found = object.find(key);
  return found ? text_at(*found, "name") : "";
}

}  // namespace parley::client
