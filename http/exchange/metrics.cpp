#include "http/exchange/metrics.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"

namespace parley::http {

void MetricsText::family(std::string_view name, std::string_view type, std::string_view help) {
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void MetricsText::name_and_labels(std::string_view name, Labels labels, std::string_view le) {
  text_ += name;
  if (labels.size() == 0 && le.empty()) return;
  std::string inner;
  for (const auto& [key, value] : labels) {
    if (!inner.empty()) inner += ',';
    inner.append(key).append("=\"");
    for (const char c : value) {
      if (c == '"' || c == '\\') inner += '\\';
      inner += c;
    }
    inner += '"';
  }
  if (!le.empty()) inner.append(inner.empty() ? "" : ",").append("le=\"").append(le).append("\"");
  text_.append("{").append(inner).append("}");
}

void MetricsText::sample(std::string_view name, Labels labels, std::uint64_t value) {
  name_and_labels(name, labels);
  text_.append(" ").append(std::to_string(value)).append("\n");
}

void MetricsText::sample(std::string_view name, Labels labels, double value) {
  name_and_labels(name, labels);
  text_.append(" ").append(json::number_text(value)).append("\n");
}

void MetricsText::counter(std::string_view name, std::string_view help, std::uint64_t value) {
  family(name, "counter", help);
  sample(name, {}, value);
}

void MetricsText::gauge(std::string_view name, std::string_view help, std::uint64_t value) {
  family(name, "gauge", help);
  sample(name, {}, value);
}

void MetricsText::histogram(std::string_view name, Labels labels, std::span<const std::uint64_t> bounds_us,
                            const std::vector<std::uint64_t>& buckets, std::uint64_t total_us) {
  const auto seconds = [](std::uint64_t us) { return static_cast<double>(us) / 1e6; };
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    so_far += buckets[i];
    name_and_labels(std::string(name) + "_bucket", labels,
                    i < bounds_us.size() ? json::number_text(seconds(bounds_us[i])) : "+Inf");
    text_.append(" ").append(std::to_string(so_far)).append("\n");
  }
  sample(std::string(name) + "_sum", labels, seconds(total_us));
  sample(std::string(name) + "_count", labels, so_far);
}

void MetricsText::build_info(std::string_view version) {
  family("parley_build_info", "gauge", "1, with the version of the server.");
  sample("parley_build_info", {{"version", version}}, std::uint64_t{1});
}

Reply metrics_reply(MetricsText text) {
  Reply reply = json_reply(std::move(text).text());
  reply.media_type = "text/plain; version=0.0.4; charset=utf-8";
  return reply;
}

void RequestCounts::add(std::size_t route, int status, std::uint64_t us) {
  Row& row = rows_[std::min(route, rows_.size() - 1)];
  row.by_class.at(static_cast<std::size_t>(std::clamp(status / 100, 0, 5)))
      .fetch_add(1, std::memory_order_relaxed);
  const auto bound = std::lower_bound(bounds_us.begin(), bounds_us.end(), us);
  row.latency.at(static_cast<std::size_t>(bound - bounds_us.begin())).fetch_add(1, std::memory_order_relaxed);
  row.total_us.fetch_add(us, std::memory_order_relaxed);
}

}  // namespace parley::http
