#pragma once
/// Prices of models (D103): the cost of tokens if an endpoint reports only tokens. Plain values; any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/values/chat.hpp"

namespace parley {

/// USD per million tokens.
struct Price {
  double input = 0;
  double output = 0;
  bool operator==(const Price&) const = default;
};

/// Prices by model name, in which `*` matches any text. A name without `*` precedes all others, which are
/// tried in order.
class PriceTable {
 public:
  void add(std::string name, Price price) { rows_.push_back({std::move(name), price}); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const Price* find(std::string_view model) const;
  /// The cost of the tokens; nullopt for a model without a price, or without any token counts.
  [[nodiscard]] std::optional<double> cost_of(std::string_view model, const ChatUsage& usage) const;
  /// Adds the cost if the usage has tokens but no cost.
  void complete(std::string_view model, ChatUsage& usage) const;

 private:
  struct Row {
    std::string name;
    Price price;
  };
  std::vector<Row> rows_;
};

}  // namespace parley
