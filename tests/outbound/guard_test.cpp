// Which addresses may be called, as a table of their spellings (D75, F20).

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "outbound/guard/address_guard.hpp"

namespace parley::outbound {
namespace {

Address address(const std::string& text) {
  return address_from_text(text).value();
}

TEST(Address, knows_its_reach) {
  struct Row {
    std::string text;
    Reach reach;
  };
  const std::vector<Row> rows = {
      {"8.8.8.8", Reach::everywhere},
      {"169.253.255.255", Reach::everywhere},
      {"172.15.255.255", Reach::everywhere},
      {"172.32.0.0", Reach::everywhere},
      {"223.255.255.255", Reach::everywhere},
      {"2606:4700::1111", Reach::everywhere},
      {"::ffff:8.8.8.8", Reach::everywhere},
      {"0.0.0.0", Reach::inside},
      {"10.255.255.255", Reach::inside},
      {"100.64.0.1", Reach::inside},
      {"127.0.0.1", Reach::inside},
      {"172.16.0.0", Reach::inside},
      {"172.31.255.255", Reach::inside},
      {"192.0.0.1", Reach::inside},
      {"192.168.1.1", Reach::inside},
      {"198.19.0.1", Reach::inside},
      {"224.0.0.1", Reach::inside},
      {"255.255.255.255", Reach::inside},
      {"::", Reach::inside},
      {"::1", Reach::inside},
      {"::127.0.0.1", Reach::inside},
      {"::8.8.8.8", Reach::inside},
      {"::ffff:127.0.0.1", Reach::inside},
      {"::ffff:10.0.0.1", Reach::inside},
      {"64:ff9b::8.8.8.8", Reach::inside},
      {"64:ff9b:1::1", Reach::inside},
      {"2001::1", Reach::inside},
      {"2002:808:808::", Reach::inside},
      {"fc00::1", Reach::inside},
      {"fd12:3456::1", Reach::inside},
      {"ff02::1", Reach::inside},
      {"169.254.0.1", Reach::never},
      {"169.254.169.254", Reach::never},
      {"100.100.100.200", Reach::never},
      {"fe80::1", Reach::never},
      {"febf:ffff::1", Reach::never},
      {"fd00:ec2::254", Reach::never},
      {"::ffff:169.254.169.254", Reach::never},
      {"::169.254.169.254", Reach::never},
      {"64:ff9b::169.254.169.254", Reach::never},
      {"2002:a9fe:a9fe::", Reach::never},
  };
  for (const auto& row : rows) EXPECT_EQ(reach(address(row.text)), row.reach) << row.text;
}

TEST(Address, is_read_in_its_plain_forms_only) {
  for (const std::string text : {"1.2.3.4", "::", "fd00:ec2::254", "2606:4700::1111"})
    EXPECT_EQ(to_text(address(text)), text);
  for (const std::string text : {"", "1.2.3", "01.2.3.4", "0x7f.0.0.1", "2130706433", "1.2.3.4.5",
                                 "256.1.1.1", "fe80::1%lo", "[::1]", " 1.2.3.4", "::1::", "localhost"})
    EXPECT_FALSE(address_from_text(text).has_value()) << text;
}

TEST(Cidr, holds_what_its_bits_say) {
  struct Row {
    std::string range, text;
    bool is_inside;
  };
  const std::vector<Row> rows = {
      {"10.0.0.0/8", "10.255.0.1", true},
      {"10.0.0.0/8", "11.0.0.1", false},
      {"10.0.0.0/8", "a00::1", false},
      {"192.168.4.0/22", "192.168.7.255", true},
      {"192.168.4.0/22", "192.168.8.0", false},
      {"10.1.2.3", "10.1.2.3", true},
      {"10.1.2.3", "10.1.2.4", false},
      {"10.1.2.3", "::ffff:10.1.2.3", true},
      {"fd00::/8", "fdff::1", true},
      {"fd00::/8", "fe00::1", false},
      {"0.0.0.0/0", "8.8.8.8", true},
      {"0.0.0.0/0", "2606::1", false},
      {"::/0", "2606::1", true},
  };
  for (const auto& row : rows)
    EXPECT_EQ(contains(cidr_from_text(row.range).value(), address(row.text)), row.is_inside)
        << row.range << " " << row.text;
  for (const std::string text :
       {"10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8", "10.0.0.0/8x", "fd00::/129"})
    EXPECT_FALSE(cidr_from_text(text).has_value()) << text;
}

TEST(Guard, allows_what_the_operator_said_D75) {
  const Guard strict, open{true, {}}, some{false, {cidr_from_text("10.0.0.0/8").value()}};
  struct Row {
    std::string text;
    Scheme scheme;
    bool strict, some, open, trusted;
  };
  const std::vector<Row> rows = {
      {"8.8.8.8", Scheme::https, true, true, true, true},
      {"8.8.8.8", Scheme::http, false, false, true, true},
      {"10.0.0.1", Scheme::https, false, true, true, true},
      {"10.0.0.1", Scheme::http, false, true, true, true},
      {"127.0.0.1", Scheme::https, false, false, true, true},
      {"169.254.169.254", Scheme::https, false, false, false, false},
      {"fe80::1", Scheme::http, false, false, false, false},
  };
  for (const auto& row : rows) {
    const auto target = address(row.text);
    EXPECT_EQ(permits(strict, target, {row.scheme, false}), row.strict) << row.text;
    EXPECT_EQ(permits(some, target, {row.scheme, false}), row.some) << row.text;
    EXPECT_EQ(permits(open, target, {row.scheme, false}), row.open) << row.text;
    EXPECT_EQ(permits(strict, target, {row.scheme, true}), row.trusted) << row.text;
  }
}

TEST(Guard, refuses_before_resolving_what_can_be_refused) {
  const auto word = [](const Guard& guard, const std::string& text, bool is_trusted) {
    const auto failure = check_url(guard, std::get<Url>(parse_url(text)), is_trusted);
    return failure ? std::string(slug(failure->kind)) : "ok";
  };
  constexpr bool is_trusted = true;
  EXPECT_EQ(word({}, "https://example.com/", !is_trusted), "ok");
  EXPECT_EQ(word({}, "http://example.com/", !is_trusted), "blocked_address");
  EXPECT_EQ(word({}, "http://example.com/", is_trusted), "ok");
  EXPECT_EQ(word({}, "https://127.0.0.1/", !is_trusted), "blocked_address");
  EXPECT_EQ(word({}, "https://[::1]/", !is_trusted), "blocked_address");
  EXPECT_EQ(word({}, "https://[::ffff:169.254.169.254]/", is_trusted), "blocked_address");
  EXPECT_EQ(word({true, {}}, "http://127.0.0.1/", !is_trusted), "ok");
  EXPECT_EQ(word({true, {}}, "http://169.254.169.254/", !is_trusted), "blocked_address");
}

}  // namespace
}  // namespace parley::outbound
