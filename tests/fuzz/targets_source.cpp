#include <algorithm>

#include "model/check.hpp"
#include "model/json/json.hpp"
#include "model/source/csv_reader.hpp"
#include "model/source/json_reader.hpp"
#include "model/source/yaml_reader.hpp"
#include "model/text/utf8.hpp"
#include "tests/fuzz/targets.hpp"

namespace parley::fuzz {
namespace {

constexpr source::TreeBounds small_bounds{10'000, 64};

void check_place(const source::SourceFile& file, const source::Span& at) {
  CHECK(at.begin <= at.end && at.end <= file.text().size());
  CHECK(file.position(at.begin) <= file.position(at.end));
}

/// Checks that the node and all its children lie within the file.
void check_node(const source::SourceFile& file, const source::Node& node) {
  check_place(file, node.at);
  if (node.is_scalar() && !node.text.empty()) {
    check_place(file, source::span_in(file, node, {node.text.size() / 2, node.text.size()}));
  }
  for (const source::Node* item : node.items) check_node(file, *item);
  for (const source::Member& member : node.members) {
    check_place(file, member.name_at);
    check_node(file, *member.value);
  }
}

void check_tree(const source::SourceFilePtr& file, const source::ReadTree& read) {
  CHECK(read.tree != nullptr || source::has_errors(read.faults));
  const auto is_broken = [](const source::SourceFault& each) {
    return each.level == source::Level::error && each.code != "duplicate-key";
  };
  CHECK(read.tree == nullptr || std::none_of(read.faults.begin(), read.faults.end(), is_broken));
  if (read.tree == nullptr || read.tree->root().weight > small_bounds.nodes_max) return;
  check_node(*file, read.tree->root());
  json::Writer out;
  source::write_json(out, read.tree->root());
  CHECK(json::parse(std::move(out).text()).ok());
}

}  // namespace

void sources(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto file = source::source_file("input", std::string(bytes.substr(1)));
  std::vector<source::SourceFault> faults;
  switch (bytes.front() % 3) {
    case 0: {
      const auto read = source::read_yaml(file, small_bounds);
      check_tree(file, read);
      faults = read.faults;
      break;
    }
    case 1: {
      const auto read = source::read_json(file, small_bounds);
      check_tree(file, read);
      faults = read.faults;
      break;
    }
    default: faults = source::read_csv(file, ',', {10'000}).faults; break;
  }
  for (const auto format :
       {source::FaultFormat::text, source::FaultFormat::json, source::FaultFormat::github}) {
    const std::string report = source::report_of(faults, format);
    CHECK(is_utf8(report) || !is_utf8(bytes));
  }
}

}  // namespace parley::fuzz
