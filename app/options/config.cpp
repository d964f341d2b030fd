#include "app/options/config.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "app/options/outbound_options.hpp"

namespace parley::app {
namespace {

/// Largest unit first; bare numbers are seconds (D94) or bytes.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> duration_units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::int64_t duration_ms_max = std::int64_t{1'000'000} * 86'400'000;
constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> byte_units{
    {{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}};
constexpr std::int64_t byte_count_max = std::int64_t{1} << 46;

std::vector<std::string> names_of_options() {
  std::vector<std::string> names;
  for (const OptionRow& row : option_rows()) names.emplace_back(row.name);
  return names;
}

constexpr std::string_view prefix = "PARLEY_";
/// Keys and secrets, the options file, and the variables that the scripts in docs/ use.
constexpr std::array<std::string_view, 9> other_variables{
    "CONFIG",        "SECRETS_KEY", "PEPPER_KEY",   "BOOTSTRAP_KEY",     "TESTER_API_KEY",
    "JUDGE_API_KEY", "KEY",         "LOG_PASSWORD", "OTLP_AUTHORIZATION"};

/// The variables that have our prefix, with the prefix removed.
std::vector<std::pair<std::string, std::string>> variables_of(const char* const* environment) {
  std::vector<std::pair<std::string, std::string>> found;
  for (; *environment != nullptr; ++environment) {
    const std::string_view line = *environment;
    const auto equals = line.find('=');
    if (!line.starts_with(prefix) || equals == std::string_view::npos) continue;
    found.emplace_back(line.substr(prefix.size(), equals - prefix.size()), line.substr(equals + 1));
  }
  return found;
}

/// Options that delete permanently. A bare number means seconds here too (D94), although days are usual.
constexpr std::array<std::string_view, 2> deleting{"retention", "audit-retention"};

std::vector<std::string> warnings_of(const std::vector<Given>& given) {
  std::vector<std::string> lines;
  for (const std::string_view name : deleting) {
    const auto last =
        std::find_if(given.rbegin(), given.rend(), [&](const Given& one) { return one.name == name; });
    if (last == given.rend()) continue;
    const auto age = quantity_of(last->text);
    if (age && age->unit.empty() && age->number > 0)
      lines.push_back(
          "a bare number is seconds, and what is older is deleted for good option=" + std::string(name) +
          " given=" + last->text + " write=\"" + last->text + "s, or " + last->text + "d for days\"");
  }
  return lines;
}

}  // namespace

std::optional<std::vector<outbound::Cidr>> networks_of(std::string_view text) {
  std::vector<outbound::Cidr> networks;
  for (;;) {
    const auto comma = text.find(',');
    const auto network = outbound::cidr_from_text(text.substr(0, comma));
    if (!network) return std::nullopt;
    networks.push_back(*network);
    if (comma == std::string_view::npos) return networks;
    text.remove_prefix(comma + 1);
  }
}

std::optional<Quantity> quantity_of(std::string_view text) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0) return std::nullopt;
  return Quantity{value, text.substr(static_cast<std::size_t>(end - text.data()))};
}

std::int64_t duration_ms(std::string_view text) {
  const auto given = quantity_of(text);
  if (!given || given->number > 1'000'000'000'000) return -1;
  for (const auto& [name, ms] : duration_units) {
    if (given->unit != name && !(given->unit.empty() && name == "s")) continue;
    return given->number <= duration_ms_max / ms ? given->number * ms : -1;
  }
  return -1;
}

std::string duration_text(std::int64_t ms) {
  if (ms == 0) return "0";
  const auto unit = std::find_if(duration_units.begin(), duration_units.end(),
                                 [&](const auto& each) { return ms % each.second == 0; });
  return std::to_string(ms / unit->second) + std::string(unit->first);
}

std::int64_t byte_count(std::string_view text) {
  const auto given = quantity_of(text);
  if (!given) return -1;
  for (const auto& [name, bytes] : byte_units) {
    if (given->unit == name) return given->number <= byte_count_max / bytes ? given->number * bytes : -1;
  }
  return -1;
}

std::string byte_text(std::uint64_t count) {
  if (count == 0) return "0";
  const auto unit = std::find_if(byte_units.begin(), byte_units.end(), [&](const auto& each) {
    return count % static_cast<std::uint64_t>(each.second) == 0;
  });
  return std::to_string(count / static_cast<std::uint64_t>(unit->second)) + std::string(unit->first);
}

Expected<Config> configured(const std::vector<Given>& given) {
  Config config;
  for (const Given& one : given) {
    const auto& rows = option_rows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const OptionRow& r) { return r.name == one.name; });
    if (row == rows.end()) {
      const std::string meant = nearest(one.name, names_of_options());
      return problem(ProblemKind::invalid_parameter,
                     one.source + ": unknown option '" + one.name + "'" +
                         (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
    }
    const std::string fault = row->way.set(config, one.text);
    if (!fault.empty()) {
      return problem(ProblemKind::invalid_parameter, one.source + ": " + one.name + " " + fault);
    }
  }
  config.warnings = warnings_of(given);
  return config;
}

std::string fault_of(const Config& config) {
  if (config.tester_url.empty() != config.tester_model.empty())
    return "tester-url and tester-model are needed together";
  if (config.judge_url.empty() != config.judge_model.empty())
    return "judge-url and judge-model are needed together";
  if (config.tester == "model" && config.tester_url.empty())
    return "tester model needs tester-url and tester-model";
  if (!config.ui_dir.empty() && !listens_on_loopback(config))
    return "ui-dir works only if listen is a loopback address such as 127.0.0.1:7410";
  return {};
}

std::optional<std::string> environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<Given> from_environment(const char* const* environment) {
  const std::vector<std::string> names = names_of_options();
  std::vector<Given> given;
  for (auto& [name, text] : variables_of(environment)) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
    if (std::find(names.begin(), names.end(), name) != names.end())
      given.push_back({name, text, "environment"});
  }
  return given;
}

std::vector<std::string> unknown_variables(const char* const* environment) {
  std::vector<std::string> names(other_variables.begin(), other_variables.end());
  for (std::string name : names_of_options()) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c == '-' ? '_' : static_cast<char>(std::toupper(c)); });
    names.push_back(std::move(name));
  }
  std::vector<std::string> lines;
  for (const auto& [name, text] : variables_of(environment)) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string meant = nearest(name, names);
    lines.push_back("unknown environment variable name=\"" + std::string(prefix) + name + "\"" +
                    (meant.empty() ? "" : " meant=" + std::string(prefix) + meant));
  }
  return lines;
}

Expected<std::vector<Given>> from_file(const std::filesystem::path& file) {
  const auto fault = [&](const std::string& why) {
    return problem(ProblemKind::invalid_parameter, file.string() + ": " + why);
  };
  std::ifstream in(file);
  if (!in) return fault(errno == ENOENT ? "does not exist" : std::strerror(errno));
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) return fault("is a directory");
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(in);
    // more than one document is refused, because the others would be ignored silently
    if (documents.size() > 1) return fault("must be one YAML document, but holds several");
    std::vector<Given> given;
    if (documents.empty() || documents.front().IsNull()) return given;
    const YAML::Node& root = documents.front();
    if (!root.IsMap()) return fault("must be a map of options");
    for (const auto& pair : root) {
      const auto name = pair.first.as<std::string>();
      if (pair.second.IsNull()) return fault(name + " has no value: give it one, or remove the line");
      if (!pair.second.IsScalar()) return fault(name + " must be a plain value; put JSON in quotes");
      const auto is_same = [&](const Given& other) { return other.name == name; };
      if (std::any_of(given.begin(), given.end(), is_same)) return fault(name + " is given twice");
      given.push_back({name, pair.second.as<std::string>(), file.string()});
    }
    return given;
  } catch (const YAML::Exception& thrown) {
    return fault(thrown.what());
  }
}

}  // namespace parley::app
