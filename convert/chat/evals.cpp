#include "convert/chat/evals.hpp"

#include "convert/messages/given_messages.hpp"
#include "convert/messages/rows.hpp"
#include "convert/reading/inputs.hpp"
#include "convert/records/checks.hpp"

namespace parley::convert {
namespace {

/// An eval of the registry that names samples.
struct Eval {
  std::string name;
  std::string samples;  ///< `folder/samples.jsonl`
  std::string kind;     ///< Match, Includes, FuzzyMatch ...
  bool ignores_case = false;
};

std::string last_part(const std::string& text, char separator) {
  const std::size_t at = text.rfind(separator);
  return at == std::string::npos ? text : text.substr(at + 1);
}

void take_registry(const Node& file, std::vector<Eval>& evals) {
  for (const Node& each : file.items) {
    const std::string kind = each.text_of("class");
    const Node* arguments = each.find("args");
    if (kind.empty() || arguments == nullptr) continue;
    const Node* ignores = arguments->find("ignore_case");
    evals.push_back({each.key, arguments->text_of("samples_jsonl"), last_part(last_part(kind, ':'), '.'),
                     ignores != nullptr && ignores->flag});
  }
}

/// The eval whose samples end in the name of the file; Match without one. A match that includes the folder takes precedence.
Eval eval_of(const std::vector<Eval>& evals, const std::string& path) {
  const std::filesystem::path file(path);
  const std::string name = file.filename().string();
  const std::string with_folder = file.parent_path().filename().string() + "/" + name;
  const Eval* found = nullptr;
  for (const Eval& each : evals) {
    const std::string tail = std::filesystem::path(each.samples).filename().string();
    if (tail != name) continue;
    if (found == nullptr || each.samples == with_folder) found = &each;
  }
  return found == nullptr ? Eval{{}, {}, "Match", false} : *found;
}

class SampleReader {
 public:
  SampleReader(Conversion& conversion, const Source& source, Eval eval)
      : conversion_(conversion), source_(source), eval_(std::move(eval)) {}

  void add(const Node& sample) {
    const Node* input = sample.find("input");
    if (input == nullptr) {
      conversion_.faults.add(source_, sample.place, "a sample needs \"input\"");
      return;
    }
    TestDraft draft = conversion_.begin_test(name_of(*input), at(sample));
    add_input(draft, *input);
    add_ideal(draft, sample);
    conversion_.finish(std::move(draft), at(sample));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  static std::string name_of(const Node& input) {
    if (!input.is_list()) return cut(as_text(input), 80);
    const std::string text = last_user_text(input);
    return text.empty() ? "sample" : cut(text, 80);
  }

  void add_input(TestDraft& draft, const Node& input) {
    if (!input.is_list()) return conversion_.say(draft, as_text(input), at(input), {.source = "input"});
    add_given_messages(conversion_, draft, source_, input, "input");
  }

  void add_ideal(TestDraft& draft, const Node& sample) {
    const Node* ideal = sample.first_of({"ideal", "expected", "answer"});
    if (ideal == nullptr) return;
    std::vector<std::string> texts;
    if (ideal->is_list()) {
      for (const Node& each : ideal->items) texts.push_back(as_text(each));
    } else {
      texts.push_back(as_text(*ideal));
    }
    Item item{.source = "ideal", .text = as_text(*ideal)};
    if (texts.empty()) return;
    const Ignoring ignoring = eval_.ignores_case ? Ignoring::letter_case : Ignoring::nothing;
    if (eval_.kind == "Match")
      return conversion_.check(draft, any_of("starts-with", texts, ignoring), at(*ideal), std::move(item));
    if (eval_.kind == "Includes")
      return conversion_.check(draft, any_of("contains", texts, ignoring), at(*ideal), std::move(item));
    if (eval_.kind == "FuzzyMatch") return add_fuzzy(draft, texts, *ideal, std::move(item));
    if (const Node* wanted = sample.find("criteria");
        wanted != nullptr && eval_.kind.starts_with("ModelBased")) {
      return conversion_.check(draft, criterion_of(as_text(*wanted)), at(*ideal), std::move(item));
    }
    if (eval_.kind.starts_with("ModelBased")) {
      return conversion_.check(draft, criterion_says(texts.front(), 0), at(*ideal), std::move(item));
    }
    item.why = "the class " + eval_.kind + " is code";
    conversion_.lose(draft, at(*ideal), std::move(item));
  }

  static Check any_of(std::string_view type, const std::vector<std::string>& texts, Ignoring ignoring) {
    if (texts.size() == 1) return text_check(type, texts.front(), "turn:0", ignoring);
    return texts_check(type, texts, "turn:0", ignoring);
  }

  void add_fuzzy(TestDraft& draft, const std::vector<std::string>& texts, const Node& ideal, Item item) {
    item.outcome = Outcome::approximated;
    item.why = "the source normalises texts and compares both ways";
    std::vector<Check> checks;
    for (const std::string& text : texts)
      checks.push_back(text_check("contains", text, "turn:0", Ignoring::letter_case));
    if (checks.size() == 1)
      checks.push_back(text_check("contains", texts.front(), "last", Ignoring::letter_case));
    conversion_.check(draft, set_check("any", checks), at(ideal), std::move(item));
  }

  Conversion& conversion_;
  const Source& source_;
  Eval eval_;
};

}  // namespace

void import_openai_evals(Conversion& conversion) {
  std::vector<Source> samples;
  std::vector<Eval> evals;
  for (const std::string& path : conversion.options.paths) {
    auto source = conversion.inputs.read(path);
    if (!source) continue;
    if (!is_yaml(path)) {
      samples.push_back(std::move(*source));
      continue;
    }
    const auto tree = parse_yaml(*source, conversion.faults);
    if (tree && !tree->is_map())
      conversion.faults.add(*source, tree->place,
                            "not a registry of OpenAI Evals: it must be a mapping of evals");
    if (tree) take_registry(*tree, evals);
    ++conversion.totals.files;
  }
  if (samples.empty() && conversion.faults.empty()) {
    conversion.faults.add(conversion.options.paths.front(), "is a registry; name the samples (.jsonl), too");
  }
  for (const Source& source : samples) {
    conversion.begin_output(source.path, stem_of(source.path));
    read_output(conversion, source, [&] {
      SampleReader reader(conversion, source, eval_of(evals, source.path));
      for_each_row(conversion, source, [&](const Node& row) { reader.add(row); });
    });
  }
}

int looks_like_openai_evals(const std::string& path, std::string_view /*text*/, const Node* head) {
  if (head == nullptr || !head->is_map()) return 0;
  if (head->find("input") != nullptr && head->find("ideal") != nullptr) return 80;
  if (!is_yaml(path) || head->items.empty()) return 0;
  for (const Node& each : head->items) {
    if (each.find("class") != nullptr && each.text_of("class").starts_with("evals.")) return 70;
  }
  return 0;
}

}  // namespace parley::convert
