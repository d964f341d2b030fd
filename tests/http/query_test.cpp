#include "http/exchange/query.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

PageQuery page_of(std::string_view raw) {
  const Query query = parse_query(raw);
  QueryReader reader(query);
  const PageQuery page = read_page(reader);
  EXPECT_TRUE(reader.result().ok()) << raw;
  return page;
}

std::vector<std::string> faults_of(std::string_view raw) {
  const Query query = parse_query(raw);
  QueryReader reader(query);
  (void)read_page(reader);
  const auto result = reader.result();
  std::vector<std::string> names;
  if (!result.ok()) {
    EXPECT_EQ(result.problem().status(), 400);
    for (const Fault& fault : result.problem().faults) names.push_back(fault.parameter);
  }
  return names;
}

TEST(Query, gives_the_defaults_of_D6) {
  const PageQuery page = page_of("");
  EXPECT_EQ(page.page, 1);
  EXPECT_EQ(page.limit, 50);
  EXPECT_EQ(page.sort_by, "createdAt");
  EXPECT_FALSE(page.is_ascending);
  EXPECT_FALSE(page.is_archived);
  EXPECT_FALSE(page.is_minimal);
}

TEST(Query, reads_what_is_documented) {
  const PageQuery page =
      page_of("page=7&limit=1000&sortBy=name&sortOrder=asc&archived=true&output=minimal&x=%zz");
  EXPECT_EQ(page.page, 7);
  EXPECT_EQ(page.limit, 1000);
  EXPECT_EQ(page.sort_by, "name");
  EXPECT_TRUE(page.is_ascending && page.is_archived && page.is_minimal);
}

TEST(Query, refuses_invalid_pages_and_limits_F32) {
  const std::vector<std::string_view> bad{"-1",
                                          "0",
                                          "1.5",
                                          "1e3",
                                          "+1",
                                          " 1",
                                          "%201",
                                          "0x10",
                                          "",
                                          "2147483648",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "18446744073709551616",
                                          "%D9%A1",
                                          "1%00",
                                          "%zz",
                                          "1 "};
  for (const std::string_view value : bad) {
    EXPECT_EQ(faults_of("limit=" + std::string(value)), std::vector<std::string>{"limit"}) << value;
  }
  for (const std::string_view value : {"-1", "0", "1.5", "9223372036854775808", "", "+1"}) {
    EXPECT_EQ(faults_of("page=" + std::string(value)), std::vector<std::string>{"page"}) << value;
  }
  EXPECT_EQ(faults_of("limit"), std::vector<std::string>{"limit"});
  EXPECT_EQ(faults_of("limit=1001"), std::vector<std::string>{"limit"});
}

TEST(Query, refuses_a_parameter_given_twice_F32) {
  EXPECT_EQ(faults_of("page=1&page=2"), std::vector<std::string>{"page"});
}

TEST(Query, decodes_once_F32) {
  EXPECT_EQ(page_of("page=%31").page, 1);
  EXPECT_EQ(page_of("p%61ge=3").page, 3);
  EXPECT_EQ(faults_of("page=%2531"), std::vector<std::string>{"page"});
}

TEST(Query, reports_all_faults_at_once_D3) {
  EXPECT_EQ(faults_of("page=0&limit=x&sortOrder=up&archived=1&output=big"),
            (std::vector<std::string>{"page", "limit", "sortOrder", "archived", "output"}));
}

TEST(Query, takes_a_page_far_beyond_the_end) {
  EXPECT_EQ(page_of("page=9223372036854775807").page, INT64_MAX);
}

TEST(PageLinks, name_the_neighbours_and_keep_other_parameters) {
  PageQuery page;
  page.page = 2;
  page.limit = 10;
  EXPECT_EQ(page_links("/runs", "agent=x&page=2&limit=10", page, 25),
            "</runs?page=1&limit=10&agent=x>; rel=\"first\", </runs?page=1&limit=10&agent=x>; rel=\"prev\", "
            "</runs?page=3&limit=10&agent=x>; rel=\"next\", </runs?page=3&limit=10&agent=x>; rel=\"last\"");
}

TEST(PageLinks, leave_out_missing_pages) {
  PageQuery page;
  page.limit = 10;
  EXPECT_EQ(page_links("/runs", "", page, 0),
            "</runs?page=1&limit=10>; rel=\"first\", </runs?page=1&limit=10>; rel=\"last\"");
}

TEST(PageLinks, cannot_be_left_by_a_bracket_F34) {
  PageQuery page;
  page.limit = 1;
  const std::string links = page_links("/runs", "a=>;evil=\"", page, 1);
  EXPECT_EQ(links.find(">;evil"), std::string::npos);
  EXPECT_NE(links.find("%3E;evil=%22"), std::string::npos);
}

}  // namespace
}  // namespace parley::http
