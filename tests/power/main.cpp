// power_examine: opens images of a disk that lost power and compares them with the writes acknowledged to clients.
//   power_examine --trace FILE --facts FILE --stage DIR --data DIR [--images N] [--seed N]
//                 [--without sync|meta|directory] [--keep-every N --keep-in DIR]
// --data is the directory that the server left: the trace must end in exactly its files. Prints one JSON
// document.
// Exit: 0 all images good, 1 a fault, 2 the trace cannot be used.

#include <cstdio>
#include <stdexcept>

#include "model/json/json_writer.hpp"
#include "tests/power/examiner.hpp"

namespace parley::power {
namespace {

struct Call {
  std::string trace, facts, stage, data;
  Plan plan;
};

Call read_call(int argc, char** argv) {
  Call call;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--trace")
      call.trace = value;
    else if (name == "--facts")
      call.facts = value;
    else if (name == "--stage")
      call.stage = value;
    else if (name == "--data")
      call.data = value;
    else if (name == "--images")
      call.plan.images = std::stoul(value);
    else if (name == "--seed")
      call.plan.seed = std::stoull(value);
    else if (name == "--keep-every")
      call.plan.keep_every = std::stoul(value);
    else if (name == "--keep-in")
      call.plan.keep_in = value;
    else if (name == "--without" && value == "sync")
      call.plan.without.sync = true;
    else if (name == "--without" && value == "meta")
      call.plan.without.meta = true;
    else if (name == "--without" && value == "directory")
      call.plan.without.directory = true;
    else
      throw std::runtime_error("unknown option " + name + " " + value);
  }
  return call;
}

void compare(const Image& expected, const std::filesystem::path& data) {
  for (const auto& [name, content] : expected) {
    if (name == "working") continue;  // shared memory, which promises nothing after a power loss (ADR 10)
    const std::string present = content_of(data / name);
    if (present != content) throw std::runtime_error("the trace does not end in the file " + name);
  }
}

void print(const Report& report) {
  std::string faults;
  for (const std::string& fault : report.faults) {
    if (!faults.empty()) faults += ", ";
    json::append_quoted(faults, fault);
  }
  std::printf(
      "{\"events\": %zu, \"commits\": %zu, \"instants\": %zu, \"images\": %zu, \"facts\": %zu, "
      "\"refused\": %zu, \"torn\": %zu, \"lost\": %zu, \"faults\": [%s]}\n",
      report.events, report.commits, report.instants, report.images, report.facts, report.refused,
      report.torn, report.lost, faults.c_str());
}

int examine(int argc, char** argv) {
  const Call call = read_call(argc, argv);
  Examiner examiner(read_trace(call.trace), read_facts(call.facts), call.plan, call.stage);
  compare(examiner.end_of_trace(), call.data);
  const Report report = examiner.examine();
  print(report);
  return report.is_good() ? 0 : 1;
}

}  // namespace
}  // namespace parley::power

int main(int argc, char** argv) {
  try {
    return parley::power::examine(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "power_examine: %s\n", error.what());
    return 2;
  }
}
