#pragma once
/// Fills the values of a case's custom fields into its texts (D22), and limits their size. Used by the code
/// that creates the case; any thread.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/json/json_writer.hpp"
#include "model/records/assertion.hpp"

namespace parley::tester {

/// The value of each `{{key}}` (blanks inside allowed): the test's field, else the scenario's; a string as
/// is, any other scalar as its JSON text. An unknown key, or one whose value is null, a list or an object,
/// stays as written. Values are not searched for further keys.
class TemplateFields {
 public:
  /// Both arguments must outlive it.
  TemplateFields(const json::Value& test_fields, const json::Value& scenario_fields);

  /// The text with its values filled in. After `bytes_max` of output the rest stays as written, so that a
  /// small text cannot grow without limit; callers refuse longer ones.
  [[nodiscard]] std::string put_in(std::string_view text, std::size_t bytes_max) const;

  /// The same for each assertion's texts: name, criteria and every string (not key) inside config. False,
  /// with nothing replaced, if the values together would exceed limits::field_texts_bytes_max; this is found
  /// by counting alone.
  [[nodiscard]] bool put_in(std::vector<Assertion>& assertions) const;

 private:
  /// A scalar field as it appears in a text.
  struct Scalar {
    std::string_view text;
    std::size_t bytes;  ///< of its JSON with the shortest escapes: the growth of a record that contains it
  };

  void add_scalars_of(const json::Value& fields);
  [[nodiscard]] const Scalar* find(std::string_view key) const;
  [[nodiscard]] std::string filled(std::string_view text) const;
  void write_filled(json::Writer& out, const json::Value& value) const;
  void put_in(Assertion& assertion) const;
  [[nodiscard]] std::size_t bytes_for(std::string_view text) const;
  [[nodiscard]] std::size_t bytes_for(const json::Value& value) const;
  [[nodiscard]] std::size_t bytes_for(const Assertion& assertion) const;

  std::unordered_map<std::string_view, Scalar> scalars_;
};

}  // namespace parley::tester
