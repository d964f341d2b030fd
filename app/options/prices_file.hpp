#pragma once
/// Reads the file of --prices (D103). Thread: main, during the start.

#include <filesystem>
#include <memory>

#include "model/expected.hpp"
#include "model/values/price_table.hpp"

namespace parley::app {

/// Reads a YAML map from model names, in which `*` matches any text, to `{input: USD, output: USD}` per million
/// tokens. Problem: the file is unreadable or not such a map, with the line.
[[nodiscard]] Expected<std::shared_ptr<const PriceTable>> read_prices(const std::filesystem::path& file);

}  // namespace parley::app
