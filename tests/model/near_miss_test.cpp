#include "model/description/near_miss.hpp"

#include <gtest/gtest.h>

#include <array>

namespace parley {
namespace {

struct Row {
  std::string_view given;
  std::optional<std::string_view> meant;
};

TEST(NearMiss, finds_the_field_that_was_meant_D99) {
  constexpr std::array<std::string_view, 6> taken{"name",       "assertions", "instruction",
                                                  "isArchived", "run",        "agent"};
  for (const Row& row :
       {Row{"nmae", "name"}, Row{"Name", "name"}, Row{"assertion", "assertions"},
        Row{"asertions", "assertions"}, Row{"assertionResults", "assertions"},
        Row{"testInstruction", "instruction"}, Row{"archived", "isArchived"}, Row{"agentId", "agent"},
        Row{"runs", std::nullopt},  // a field of three characters is too short for a near miss
        Row{"runId", "run"}, Row{"nonsense", std::nullopt}, Row{"", std::nullopt},
        Row{"assertionsOfAnother", std::nullopt}}) {
    EXPECT_EQ(meant_field(row.given, taken), row.meant) << row.given;
  }
  EXPECT_EQ(meant_field(std::string(5'000, 'a'), taken), std::nullopt);
}

TEST(NearMiss, takes_the_nearest_of_several) {
  constexpr std::array<std::string_view, 2> taken{"texts", "text"};
  EXPECT_EQ(meant_field("textss", taken), "texts");
  EXPECT_EQ(meant_field("txt", taken), "text");
}

}  // namespace
}  // namespace parley
