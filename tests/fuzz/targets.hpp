#pragma once
/// The fuzz targets: each accepts any bytes, calls one parser of the product with them and CHECKs the properties that
/// hold for every input. A fault ends the process. libFuzzer drives the targets (preset `fuzz`), and fuzz_test replays
/// the corpora. Pure except for memory; one thread.

#include <array>
#include <string_view>

namespace parley::fuzz {

void framer(std::string_view bytes);      ///< requests of a connection, split arbitrarily (F29)
void json_texts(std::string_view bytes);  ///< a JSON text and the values read from it (F31)
void bodies(std::string_view bytes);      ///< a body, parsed as every record and every body of an operation
void script(std::string_view bytes);      ///< an instruction, and its turns in a conversation with itself
void patterns(std::string_view bytes);    ///< line 1: a pattern; the rest: the text to search (F23)
void assertions(std::string_view bytes);  ///< `{"assertions": [...], "texts": [...]}`, checked and judged
void agent(std::string_view bytes);       ///< answers of hosted agents: status byte, then the body (F19)
void model(std::string_view bytes);  ///< answers of tester and judge models: status byte, then the body (F21)
void imports(std::string_view bytes);  ///< files of other tools: a format byte, then the file
void sources(
    std::string_view bytes);  ///< files written by people: a byte for YAML, JSON or CSV, then the file
void traces(std::string_view bytes);  ///< POST /v1/traces: JSON if the first byte is a brace, else protobuf
void stored(std::string_view bytes);  ///< values of the store: table byte, then the value (I13)

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
  int damaged_copies;  ///< the number that fuzz_test makes of the corpus; fewer for expensive targets
};
inline constexpr std::array targets{
    Target{"framer", framer, 1'000}, Target{"json", json_texts, 1'000}, Target{"bodies", bodies, 200},
    Target{"script", script, 300},   Target{"patterns", patterns, 50},  Target{"assertions", assertions, 200},
    Target{"agent", agent, 300},     Target{"model", model, 300},       Target{"stored", stored, 300},
    Target{"imports", imports, 300}, Target{"sources", sources, 1'000}, Target{"traces", traces, 1'000}};

}  // namespace parley::fuzz
