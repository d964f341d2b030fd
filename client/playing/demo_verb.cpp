#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/run_options.hpp"
#include "client/remote/private_file.hpp"
#include "client/remote/temporary_folder.hpp"
#include "client/screen/terminal.hpp"

namespace parley::client {
namespace {

/// A shop assistant that is built into the server, with tests. One test fails on purpose, to show what a failure
/// looks like.
constexpr std::string_view demo_suite = R"(version: 1
project: demo
name: Demo shop
agents:
  shop: {demo: true}
tests:
  - name: Greets and lists what it can do
    script: |
      say: Hello
      say: bye
    must: [{icontains: order}]
  - name: Looks an order up
    script: |
      say: Hello
      say: Where is order 42?
      say: bye
    must:
      - {tool-called: lookup_order, name: calls lookup_order}
      - icontains: sent
  - name: Finds order 7 (fails on purpose)
    script: |
      say: Where is order 7?
      say: bye
    must:
      - {icontains: on its way, name: says where the order is}
)";

}  // namespace

int demo_verb(const Invocation& call) {
  const TemporaryFolder folder("parley-demo");
  if (folder.path().empty()) return wrong_use(call, "a temporary folder cannot be created");
  if (const auto written = write_private(folder.path() / "parley.yaml", demo_suite); !written)
    return failed(call, written.problem());
  LoadOptions load;
  load.folder = folder.path();
  load.paths = {(folder.path() / "parley.yaml").string()};
  LoadedSuites loaded = load_suites(load);
  if (loaded.suites.empty()) {
    write_text(2, source::report_of(loaded.faults, source::FaultFormat::text));
    return exit_wrong_use;
  }
  for (CompiledTest& each : loaded.suites.front().tests) each.place.file = "parley.yaml";
  const int code = play_suites(call, std::move(loaded.suites));
  // The failing test is part of the demonstration.
  if (code == exit_red) {
    write_text(2,
               "One test fails on purpose. `parley demo --view` shows it in the page; `parley init` makes a "
               "suite of your own.\n");
    return exit_done;
  }
  return code;
}

}  // namespace parley::client
