#include <fmt/format.h>

#include "client/report/reporters.hpp"

// CSV as in RFC 4180. A field that a spreadsheet would read as a formula gets the prefix '.

namespace parley::client {
namespace {

class Row {
 public:
  explicit Row(std::string& out) : out_(out) {}
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  ~Row() { out_ += "\r\n"; }

  Row& text(std::string_view value) {
    std::string safe(value);
    if (!safe.empty() && std::string_view("=+-@\t\r").find(safe.front()) != std::string_view::npos)
      safe.insert(0, 1, '\'');
    if (safe.find_first_of(",\"\r\n") == std::string::npos) return raw(safe);
    std::string quoted = "\"";
    for (const char c : safe) quoted.append(c == '"' ? 2 : 1, c);
    return raw(quoted + "\"");
  }
  Row& number(std::int64_t value) { return raw(std::to_string(value)); }
  Row& number(double value, int decimals) { return raw(fmt::format("{:.{}f}", value, decimals)); }

 private:
  Row& raw(std::string_view value) {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    out_ += value;
    return *this;
  }

  std::string& out_;
  bool is_first_ = true;
};

void add_case(Row& row, const ResultRow& result) {
  row.text(result.id).text(result.run).text(result.scenario).text(result.test).text(result.name);
  row.text(result.variant.value_or(""))
      .text(result.agent)
      .text(result.persona.value_or(""))
      .number(result.repetition);
  row.text(result.file).text(result.file.empty() ? "" : std::to_string(result.line));
  row.text(word_of(result.state));
}

constexpr std::string_view case_columns =
    "id,run,scenario,test,name,variant,agent,persona,repetition,file,line,state";

}  // namespace

std::string csv_report(const Report& report, const ReportOptions& options) {
  const bool by_assertion = options.variant == "assertions";
  std::string out(case_columns);
  out += by_assertion ? ",assertion,assertionName,type,severity,level,status,reason\r\n"
                      : ",score,turns,seconds,usd,faultSource,faultCode,faultDetail\r\n";
  for (const ResultRow& each : report.results) {
    if (!by_assertion) {
      Row row(out);
      add_case(row, each);
      const CaseFault fault = each.fault.value_or(CaseFault{});
      row.number(each.score).number(each.turns).number(each.seconds, 3).number(each.usd, 6);
      row.text(fault.source).text(fault.code).text(fault.detail);
      continue;
    }
    for (const AssertionRow& assertion : each.assertions) {
      Row row(out);
      add_case(row, each);
      row.text(assertion.id).text(assertion.name).text(assertion.type).text(severity_of(assertion.level));
      row.text(word_of(assertion.level)).text(assertion.status).text(assertion.reason);
    }
  }
  return out;
}

}  // namespace parley::client
