// Every file of faults/ has exactly one fault, at the position that its first lines name: `# expect LINE:COLUMN CODE`.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "client/suite/compiled_suite.hpp"
#include "outbound/agents/agent_config.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> expected_in(const fs::path& file) {
  std::vector<std::string> expected;
  std::ifstream in(file);
  constexpr std::string_view mark = "# expect ";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(mark)) expected.push_back(line.substr(mark.size()));
  }
  std::sort(expected.begin(), expected.end());
  return expected;
}

std::vector<std::string> found_in(const LoadedSuites& loaded) {
  std::vector<std::string> found;
  for (const source::SourceFault& fault : loaded.faults) {
    if (fault.level != source::Level::error) continue;
    const source::Position at = fault.place.file->position(fault.place.at.begin);
    found.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + fault.code);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(FaultCorpus, reports_each_fault_where_it_is) {
  std::size_t files = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(PARLEY_SOURCE_DIR) / "tests/client/suite/faults")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    LoadOptions options;
    options.paths = {entry.path().string()};
    options.reporter_fault = [](std::string_view item) { return item == "josn" ? "unknown reporter" : ""; };
    options.agent_check = outbound::check_agent_config;
    const LoadedSuites loaded = load_suites(options);
    EXPECT_EQ(found_in(loaded), expected_in(entry.path()))
        << source::report_of(loaded.faults, source::FaultFormat::text);
    EXPECT_TRUE(loaded.suites.empty()) << entry.path();
  }
  EXPECT_GE(files, 120U);
}

}  // namespace
}  // namespace parley::client
