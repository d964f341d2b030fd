#include "tests/sim/engine/shape.hpp"

#include <algorithm>
#include <array>

namespace parley::sim {
namespace {

constexpr std::array<std::string_view, 5> status_words{"pending", "running", "completed", "failed",
                                                       "canceled"};
constexpr std::array<std::string_view, 6> run_words{"new",       "pending", "running",
                                                    "completed", "failed",  "canceled"};

void mix(std::size_t& hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
}

std::string text_of(const Said& said) {
  std::string text;
  if (said.token >= answer_base) {
    text = "a" + std::to_string(said.token - answer_base);
  } else if (said.token >= turn_base) {
    text = "t" + std::to_string(said.token - turn_base);
  } else {
    text = "#" + std::to_string(said.token);
  }
  if (said.is_inserted) text += "^";
  if (said.merged != 0) text += "+";
  return text;
}

}  // namespace

One* Shape::find(const Name& name) {
  const auto found = std::lower_bound(ones.begin(), ones.end(), name,
                                      [](const One& one, const Name& wanted) { return one.name < wanted; });
  return found != ones.end() && found->name == name ? &*found : nullptr;
}
const One* Shape::find(const Name& name) const {
  return const_cast<Shape*>(this)->find(name);
}

std::set<Name> Shape::held() const {
  std::set<Name> names;
  for (const Name& name : leased) {
    const One* one = find(name);
    if (one != nullptr && one->status == Status::pending) names.insert(name);
  }
  return names;
}

bool Shape::shows(const Shape& seen) const {
  const bool is_same = run == seen.run && canceled == seen.canceled && kept == seen.kept && ones == seen.ones;
  if (!is_same || held() != seen.held()) return false;
  return leased_until == seen.leased_until || held().empty();
}

void Shape::add(One one) {
  const auto place = std::lower_bound(ones.begin(), ones.end(), one.name,
                                      [](const One& each, const Name& wanted) { return each.name < wanted; });
  ones.insert(place, std::move(one));
}

One& Shape::newest(std::uint32_t root) {
  One* last = nullptr;
  for (One& one : ones) {
    if (one.name.root == root) last = &one;
  }
  return *last;
}

std::size_t hash_of(const Shape& shape) {
  std::size_t hash = static_cast<std::size_t>(shape.run) * 4 + static_cast<std::size_t>(shape.canceled);
  mix(hash, shape.kept);
  for (const One& one : shape.ones) {
    mix(hash, (std::uint64_t{one.name.root} << 32U) + one.name.generation);
    mix(hash, static_cast<std::uint64_t>(one.status) * 16 + (one.is_ended ? 8U : 0U) +
                  (one.is_claimed ? 4U : 0U) + (one.is_manual ? 2U : 0U) + (one.is_retired ? 1U : 0U));
    mix(hash, one.metadata);
    if (one.rescored > 0) mix(hash, static_cast<std::uint64_t>(one.rescored) * 1'024 + one.rows.size());
    for (const Said& said : one.talk) mix(hash, said.token * 64ULL + said.born + (said.merged << 20U));
  }
  for (const Name& name : shape.awaited) mix(hash, (std::uint64_t{name.root} << 32U) + name.generation + 1);
  for (const Name& name : shape.leased) mix(hash, (std::uint64_t{name.root} << 33U) + name.generation + 1);
  mix(hash, static_cast<std::uint64_t>(shape.leased_until));
  return hash;
}

std::string text_of(const Name& name) {
  std::string text = name.root >= first_root ? "r" + std::to_string(name.root - first_root)
                                             : "c" + std::to_string(name.root);
  return name.generation == 0 ? text : text + "." + std::to_string(name.generation);
}

std::string text_of(const One& one) {
  std::string text =
      text_of(one.name) + "=" + std::string(status_words.at(static_cast<std::size_t>(one.status)));
  if (one.is_ended) text += ",ended";
  if (one.is_claimed) text += ",claimed";
  if (one.is_manual) text += ",manual";
  if (one.is_preview) text += ",preview";
  if (one.is_retired) text += ",retired";
  if (one.metadata != 0) text += ",meta#" + std::to_string(one.metadata);
  if (!one.rows.empty()) text += ",scored " + text_of(one.rows, one.total);
  if (one.rescored > 0) text += ",again " + std::to_string(one.rescored);
  text += "[";
  for (const Said& said : one.talk) text += (text.back() == '[' ? "" : " ") + text_of(said);
  return text + "]";
}

std::string text_of(const Shape& shape) {
  std::string text = "run=" + std::string(run_words.at(static_cast<std::size_t>(shape.run)));
  for (const One& one : shape.ones) text += " " + text_of(one);
  if (shape.kept != 0) text += " kept=" + std::to_string(shape.kept);
  for (const Name& name : shape.leased) text += " leased=" + text_of(name);
  if (!shape.leased.empty()) text += " until " + std::to_string(shape.leased_until % 100'000'000);
  for (const Name& name : shape.awaited) text += " awaited=" + text_of(name);
  return text;
}

}  // namespace parley::sim
