/// Load generator: closed-loop clients that keep the state of their conversations and check the answers. Prints one
/// JSON object; exits with 1 if any answer was wrong.
///   parley_load get|append|conversation|seed|raw|each|heartbeat --address HOST:PORT --key KEY [--option value]...

#include <cstdio>
#include <fstream>
#include <thread>

#include "bench/load/runner.hpp"

namespace {

using namespace parley::load;

/// The first word of each line.
std::vector<std::string> read_ids(const std::string& file) {
  std::vector<std::string> ids;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) ids.push_back(line.substr(0, line.find(' ')));
  }
  return ids;
}

void prepare(Work& work) {
  const Options& options = work.options;
  work.common_fields = "Host: " + options.host + ":" + std::to_string(options.port) + "\r\n";
  if (!options.key.empty()) work.common_fields += "Authorization: Bearer " + options.key + "\r\n";
  if (!options.ids.empty()) work.ids = read_ids(options.ids);
  work.lengths = std::vector<std::atomic<std::uint32_t>>(work.ids.size());
}

/// Modes with a count end when it is reached; the others when the time is over.
bool is_counted(const Options& options) {
  return options.mode == "each" || options.count > 0;
}

Figures run(Work& work, Clock::time_point from, Clock::time_point until) {
  const Options& options = work.options;
  std::vector<Figures> parts(options.threads);
  std::vector<std::thread> threads;
  std::size_t first = 0;
  for (std::size_t t = 0; t < options.threads; ++t) {
    const std::size_t share =
        options.connections / options.threads + (t < options.connections % options.threads);
    threads.emplace_back([&, t, first, share] { parts[t] = run_share(work, first, share, from, until); });
    first += share;
  }
  for (std::thread& thread : threads) thread.join();
  Figures all;
  for (const Figures& part : parts) all.merge(part);
  return all;
}

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

void print(const Work& work, const Figures& figures, double seconds) {
  std::string errors;
  for (const std::string& error : figures.first_errors)
    errors += (errors.empty() ? "" : ",") + in_quotes(error);
  const auto requests = figures.latency.total();
  std::printf(
      "{\"mode\":%s,\"connections\":%zu,\"threads\":%zu,\"seconds\":%.3f,\"requests\":%llu,\"rate\":%.1f,"
      "\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,\"bytes\":%llu,\"finished\":%zu,\"errors\":%llu,"
      "\"first_errors\":[%s]}\n",
      in_quotes(work.options.mode).c_str(), work.options.connections, work.options.threads, seconds,
      static_cast<unsigned long long>(requests), seconds > 0 ? static_cast<double>(requests) / seconds : 0.0,
      figures.latency.quantile_ms(0.5), figures.latency.quantile_ms(0.99), figures.latency.max_ms(),
      static_cast<unsigned long long>(figures.bytes), work.finished.load(),
      static_cast<unsigned long long>(figures.errors), errors.c_str());
}

void write_made(const Work& work) {
  if (work.options.ids_out.empty()) return;
  std::ofstream out(work.options.ids_out);
  for (const std::string& line : work.made) out << line << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return 2;
  Work work;
  work.options = *options;
  prepare(work);
  const bool needs_ids = options->mode == "get" || options->mode == "each";
  if (make_client(work, 0) == nullptr || (needs_ids && work.ids.empty())) {
    std::fprintf(stderr, "parley_load: unknown mode, or a mode without the ids that it needs\n");
    return 2;
  }
  using Seconds = std::chrono::duration<double>;
  const auto length = [](double seconds) {
    return std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
  };
  const auto started = Clock::now();
  const auto from = is_counted(*options) ? started : started + length(options->warmup_s);
  const auto until = is_counted(*options) ? started + std::chrono::hours(1) : from + length(options->seconds);
  const Figures figures = run(work, from, until);
  const auto ended = is_counted(*options) ? figures.last : until;
  print(work, figures, ended > from ? Seconds(ended - from).count() : 0.0);
  write_made(work);
  return figures.errors > 0 ? 1 : 0;
}
