#pragma once
/// The third-party recordings that tests use as oracles: PARLEY_SHARED/data, or ../shared/data next to the repository.
/// They are not committed, so tests skip if they are missing.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/json/json.hpp"

namespace parley::scoring {

/// The parsed file below data/; nullopt if it is missing.
inline std::optional<json::Document> shared_data(const std::string& name) {
  const char* given = std::getenv("PARLEY_SHARED");
  const std::filesystem::path base = given != nullptr ? given : PARLEY_SOURCE_DIR "/../shared";
  std::ifstream file(base / "data" / name);
  if (!file) return std::nullopt;
  std::stringstream read;
  read << file.rdbuf();
  auto document = json::parse(read.str());
  EXPECT_TRUE(document.ok()) << name;
  if (!document.ok()) return std::nullopt;
  return std::move(document).value();
}

inline constexpr const char* no_shared_data =
    "the recordings are absent: set PARLEY_SHARED, or put them into ../shared";

}  // namespace parley::scoring
