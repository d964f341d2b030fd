#include "app/options/prices_file.hpp"

#include <yaml-cpp/yaml.h>

#include <cmath>

namespace parley::app {
namespace {

constexpr std::size_t prices_max = 10'000;

Problem fault_at(const std::filesystem::path& file, const YAML::Node& node, const std::string& what) {
  return problem(ProblemKind::invalid_body,
                 file.string() + ":" + std::to_string(node.Mark().line + 1) + ": " + what);
}

Expected<double> amount_at(const std::filesystem::path& file, const YAML::Node& row, const std::string& key) {
  const YAML::Node value = row[key];
  if (!value) return fault_at(file, row, "lacks " + key + ": USD for a million tokens");
  double amount = -1;
  const bool is_number = value.IsScalar() && YAML::convert<double>::decode(value, amount);
  if (!is_number || !std::isfinite(amount) || amount < 0)
    return fault_at(file, value, key + " must be a number of at least 0: USD for a million tokens");
  return amount;
}

Expected<std::shared_ptr<const PriceTable>> table_of(const std::filesystem::path& file,
                                                     const YAML::Node& root) {
  auto table = std::make_shared<PriceTable>();
  if (root.IsNull()) return std::shared_ptr<const PriceTable>(std::move(table));
  if (!root.IsMap() || root.size() > prices_max)
    return fault_at(file, root, "must be a map of at most 10,000 model names to {input, output}");
  for (const auto& member : root) {
    const auto name = member.first.as<std::string>();
    const YAML::Node row = member.second;
    if (!row.IsMap())
      return fault_at(file, row, name + " must be {input: USD, output: USD} for a million tokens");
    for (const auto& part : row) {
      const auto key = part.first.as<std::string>();
      if (key != "input" && key != "output") {
        std::string reason = name;
        reason.append(" has the unknown key ").append(key).append("; it takes input and output");
        return fault_at(file, part.first, reason);
      }
    }
    TRY(input, amount_at(file, row, "input"));
    TRY(output, amount_at(file, row, "output"));
    table->add(name, {input, output});
  }
  return std::shared_ptr<const PriceTable>(std::move(table));
}

}  // namespace

Expected<std::shared_ptr<const PriceTable>> read_prices(const std::filesystem::path& file) {
  try {
    return table_of(file, YAML::LoadFile(file.string()));
  } catch (const YAML::BadFile&) {
    return problem(ProblemKind::invalid_body, file.string() + ": cannot be read");
  } catch (const YAML::Exception& fault) {
    return problem(ProblemKind::invalid_body, file.string() + ": " + fault.what());
  }
}

}  // namespace parley::app
