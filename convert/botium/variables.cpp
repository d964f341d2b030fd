#include "convert/botium/variables.hpp"

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 40> functions{
    "now",          "now_EN",        "now_DE",   "now_ISO",   "date",        "date_EN",
    "date_DE",      "date_ISO",      "time",     "time_EN",   "time_DE",     "time_ISO",
    "time_HH_MM",   "time_HH",       "time_H_A", "timestamp", "tomorrow",    "yesterday",
    "date_add",     "date_subtract", "year",     "month",     "month_MM",    "day_of_month",
    "day_of_week",  "random",        "random10", "uniqid",    "projectname", "testsessionname",
    "testcasename", "env",           "cap",      "msg",       "func",        "timestamp_ms",
    "now_US",       "date_US",       "time_US",  "env_var"};

bool is_word_character(char c) {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '_';
}

}  // namespace

std::vector<std::string> variables_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (end > at + 2 && ascii::is_letter(text[at + 1])) names.emplace_back(text.substr(at + 1, end - at - 1));
  }
  return names;
}

bool is_botium_function(std::string_view name) {
  return std::find(functions.begin(), functions.end(), name) != functions.end();
}

}  // namespace parley::convert
