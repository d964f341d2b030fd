#include "app/embedded_server.hpp"

#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

#include <fstream>
#include <future>
#include <thread>

#include "app/log/logging.hpp"
#include "app/options/exit_codes.hpp"
#include "app/process/fatal_errors.hpp"
#include "app/serve.hpp"

namespace parley::app {
namespace {

namespace fs = std::filesystem;

/// The file in the data directory that contains the key of its first admin (D81).
fs::path key_file_of(const fs::path& data) {
  return data / "admin.key";
}

std::string key_in(const fs::path& data) {
  std::ifstream file(key_file_of(data));
  std::string key;
  std::getline(file, key);
  return key;
}

/// A command prints only its own output to its terminal.
void log_to_file(const Config& config) {
  if (!config.log_file.empty() && start_log(config)) return;
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("none", std::make_shared<spdlog::sinks::null_sink_mt>()));
}

void set_model(const std::optional<client::ModelEndpoint>& model, std::string& url, std::string& name,
               std::string& parameters, std::optional<std::string>& key, std::int64_t& timeout_ms) {
  key = "";  // a key in the environment is meant for the models of `parley serve`
  if (!model) return;
  url = model->url;
  name = model->model;
  parameters = model->parameters;
  key = model->key;
  if (model->timeout_ms > 0) timeout_ms = model->timeout_ms;
}

Config config_of(const client::EmbeddedOptions& options) {
  Config config;
  config.data = options.data;
  config.host = "127.0.0.1";
  config.port = 0;
  config.fsync = options.is_durable;
  config.keeps_answers = options.keeps_answers;
  config.driving_paused = options.is_at_rest;
  config.scoring_paused = options.is_at_rest;
  config.log_file = options.log_file;
  config.key_rate = 0;
  config.stuck_after_ms = 0;  // results whose command has ended count as stuck immediately
  if (options.conversations > 0) config.conversations_max = options.conversations;
  set_model(options.tester, config.tester_url, config.tester_model, config.tester_parameters,
            config.tester_key, config.tester_timeout_ms);
  set_model(options.judge, config.judge_url, config.judge_model, config.judge_parameters, config.judge_key,
            config.judge_timeout_ms);
  config.makes_new_admin_key = fs::exists(options.data) && key_in(options.data).empty();
  return config;
}

class Embedded final : public client::EmbeddedServer {
 public:
  explicit Embedded(const Config& config) {
    ServeEvents events;
    events.ready = [this](const Config& used, std::uint16_t port, const std::optional<std::string>& key) {
      address_ = {"http://127.0.0.1:" + std::to_string(port), key.value_or(key_in(used.data))};
      started_.set_value(0);
    };
    events.wait = [this](const std::function<void()>&) { ending_.get_future().wait(); };
    thread_ = std::thread([this, config, events] {
      const int ended = reporting_errors([&] { return serve_until(config, events); });
      if (address_.url.empty()) started_.set_value(ended == 0 ? exit_failed : ended);
    });
    failed_ = started_.get_future().get();
  }
  ~Embedded() override {
    ending_.set_value();
    thread_.join();
    flush_log(std::chrono::seconds(1));
  }
  Embedded(const Embedded&) = delete;
  Embedded& operator=(const Embedded&) = delete;

  [[nodiscard]] const client::ServerAddress& address() const override { return address_; }
  /// The exit code of a server that did not start; 0 if it started.
  [[nodiscard]] int failed() const { return failed_; }

 private:
  client::ServerAddress address_;  ///< written by the server's thread before `started_`
  std::promise<int> started_;
  std::promise<void> ending_;
  std::thread thread_;
  int failed_ = 0;
};

/// Why the server could not start, taken from the last line of its log.
std::string reason_in(const fs::path& file) {
  std::ifstream log(file);
  std::string last;
  for (std::string line; std::getline(log, line);) last = line;
  constexpr std::string_view mark = "reason=\"";
  const std::size_t begin = last.find(mark);
  if (begin == std::string::npos || !last.ends_with('"')) return last;
  const std::string_view rest = std::string_view(last).substr(begin + mark.size());
  return std::string(rest.substr(0, rest.size() - 1));
}

}  // namespace

Expected<std::unique_ptr<client::EmbeddedServer>> start_embedded(const client::EmbeddedOptions& options) {
  const Config config = config_of(options);
  log_to_file(config);
  auto server = std::make_unique<Embedded>(config);
  if (server->failed() == 0) return std::unique_ptr<client::EmbeddedServer>(std::move(server));
  flush_log(std::chrono::seconds(1));
  const std::string why = reason_in(options.log_file);
  const auto kind = server->failed() == exit_damaged                            ? ProblemKind::store_refuses
                    : why.find("in use by another parley") != std::string::npos ? ProblemKind::conflict
                                                                                : ProblemKind::internal;
  return problem(kind, "the local server cannot start: " + why);
}

}  // namespace parley::app
