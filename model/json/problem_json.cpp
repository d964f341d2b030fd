#include "model/json/problem_json.hpp"

#include "model/json/json_writer.hpp"

namespace parley {

std::string problem_json(const Problem& problem, std::string_view instance) {
  const ProblemRow& row = row_of(problem.kind);
  json::Writer out;
  out.begin_object();
  out.member("type", "/problems/" + std::string(row.slug));
  out.member("title", row.title);
  out.key("status").integer(row.status);
  out.member("detail", problem.detail);
  if (!instance.empty()) out.member("instance", instance);
  if (!problem.faults.empty()) {
    out.key("errors").begin_array();
    for (const Fault& fault : problem.faults) {
      out.begin_object();
      // A parameter may have the empty name.
      if (!fault.parameter.empty() || problem.kind == ProblemKind::invalid_parameter) {
        out.member("parameter", fault.parameter);
      } else {
        out.member("pointer", fault.pointer);
      }
      out.member("detail", fault.detail);
      out.end_object();
    }
    out.end_array();
  }
  out.end_object();
  return std::move(out).text();
}

}  // namespace parley
