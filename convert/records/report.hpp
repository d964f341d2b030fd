#pragma once
/// The loss report: one line for each item of the source, without exception, and the totals. One thread.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "convert/reading/source.hpp"
#include "convert/records/records.hpp"

namespace parley::convert {

enum class Outcome : std::uint8_t { exact, approximated, not_mapped, ignored };
enum class ItemKind : std::uint8_t { turn, check, log, agent, run, other };
[[nodiscard]] std::string_view word_of(Outcome outcome);
[[nodiscard]] std::string_view word_of(ItemKind kind);

struct Item {
  ItemKind kind = ItemKind::other;
  Outcome outcome = Outcome::exact;
  std::string source;     ///< the construct as the file spells it
  std::string text = {};  ///< its text, truncated to 200 characters
  std::string test = {};  ///< name of the test that the item belongs to
  std::string log = {};   ///< externalId of the log that the item belongs to
  std::vector<std::string> became = {};
  std::string why = {};    ///< for approximated and not_mapped items
  std::string needs = {};  ///< what the agent must record to make the check decidable
  std::size_t count = 1;
};

class Report {
 public:
  void add(const std::string& path, Place place, const Item& item);
  void add(const Source& source, Place place, const Item& item) { add(source.path, place, item); }
  /// Counts items found in a walk over the source. Each of them must be added later.
  void found(ItemKind kind, std::size_t count) { found_[static_cast<std::size_t>(kind)] += count; }

  /// Whether a walk found more items of a kind than were added, which means that an importer lost one.
  [[nodiscard]] bool lost_an_item() const;
  [[nodiscard]] const std::string& lines() const { return lines_; }
  [[nodiscard]] std::size_t items() const { return items_; }
  [[nodiscard]] std::size_t count(Outcome outcome) const {
    return counts_[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] const std::set<std::string>& needs() const { return needs_; }
  /// A construct that was approximated or lost. `losses()` maps each row to its number of occurrences.
  struct Row {
    std::string source;
    Outcome outcome;
    std::string why;
    bool operator<(const Row& other) const {
      return std::tie(outcome, source, why) < std::tie(other.outcome, other.source, other.why);
    }
  };
  [[nodiscard]] const std::map<Row, std::size_t>& losses() const { return losses_; }

 private:
  /// Maximum number of distinct rows in the table for people; further rows are only in the report file.
  static constexpr std::size_t loss_rows_max = 200;

  std::string lines_;
  std::size_t items_ = 0;
  std::size_t counts_[4] = {};
  std::size_t found_[6] = {};
  std::size_t added_[6] = {};
  std::set<std::string> needs_;
  std::map<Row, std::size_t> losses_;
};

/// Totals of a conversion.
struct Totals {
  std::string format;
  std::size_t files = 0;
  std::size_t tests = 0;
  std::size_t disabled = 0;
  std::size_t turns = 0;
  std::size_t logs = 0;
  EntryCounts entries;
};

/// Number of records that an import created, changed or left unchanged.
struct Stored {
  std::size_t created = 0;
  std::size_t changed = 0;
  std::size_t unchanged = 0;
};

/// `{"format", "files", ..., "needs"}`, and `stored` after an import.
[[nodiscard]] std::string summary_json(const Totals& totals, const Report& report,
                                       const Stored* stored = nullptr);
/// The summary line for stdout, without a line end.
[[nodiscard]] std::string summary_line(const Totals& totals, const Report& report);
/// The table for people: what was approximated or lost, and what the agent must record.
[[nodiscard]] std::string table_for_people(const Report& report);

/// The first `characters` characters of a text.
[[nodiscard]] std::string cut(std::string_view text, std::size_t characters);

}  // namespace parley::convert
