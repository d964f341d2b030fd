#include "convert/chat/evals.hpp"

#include <algorithm>

#include "convert/messages/given_messages.hpp"
#include "convert/messages/rows.hpp"
#include "convert/reading/inputs.hpp"
#include "convert/records/checks.hpp"

namespace parley::convert {
namespace {

/// An eval of the registry that refers to a samples file.
struct Eval {
  std::string name;
  std::string samples;         ///< `folder/samples.jsonl`
  std::string kind = "Match";  ///< Match, Includes, FuzzyMatch ...
  bool ignores_case = false;
  std::string spec;      ///< basis of a model's judgment: fact, closedqa ...
  std::string criteria;  ///< apply to all samples; empty: each sample has its own
  /// An argument that belongs to the prompt of the agent.
  struct Setting {
    std::string path;
    Place place;
    std::string key;
    std::string text;
  };
  std::vector<Setting> settings = {};
};

std::string last_part(const std::string& text, char separator) {
  const std::size_t at = text.rfind(separator);
  return at == std::string::npos ? text : text.substr(at + 1);
}

/// The criteria by which a model judges all samples: a text, or several named texts.
std::string criteria_in(const Node& arguments) {
  const Node* settings = arguments.find("modelgraded_spec_args");
  const Node* criteria = settings == nullptr ? nullptr : settings->find("criteria");
  if (criteria == nullptr) return {};
  if (!criteria->is_map()) return as_text(*criteria);
  std::string text;
  for (const Node& each : criteria->items) text += (text.empty() ? "" : "\n") + as_text(each);
  return text;
}

void take_registry(const std::string& path, const Node& file, std::vector<Eval>& evals) {
  for (const Node& each : file.items) {
    const std::string kind = each.text_of("class");
    const Node* arguments = each.find("args");
    if (kind.empty() || arguments == nullptr) continue;
    const Node* ignores = arguments->find("ignore_case");
    evals.push_back({each.key, arguments->text_of("samples_jsonl"), last_part(last_part(kind, ':'), '.'),
                     ignores != nullptr && ignores->flag, arguments->text_of("modelgraded_spec"),
                     criteria_in(*arguments)});
    for (const std::string_view key : {"few_shot_jsonl", "num_few_shot"}) {
      if (const Node* found = arguments->find(key))
        evals.back().settings.push_back({path, found->place, std::string(key), as_text(*found)});
    }
  }
}

/// The first eval whose samples file has the same name; Match if none has. A match that includes the folder takes
/// precedence. If several evals match, a note names them.
Eval eval_of(Conversion& conversion, const std::vector<Eval>& evals, const std::string& path) {
  const std::filesystem::path file(path);
  const std::string name = file.filename().string();
  const std::string with_folder = file.parent_path().filename().string() + "/" + name;
  std::vector<const Eval*> full;
  std::vector<const Eval*> by_name;
  for (const Eval& each : evals) {
    if (each.samples == with_folder) full.push_back(&each);
    if (std::filesystem::path(each.samples).filename().string() == name) by_name.push_back(&each);
  }
  const std::vector<const Eval*>& found = full.empty() ? by_name : full;
  if (found.empty()) return {};
  if (found.size() > 1) {
    std::string others;
    for (const Eval* each : found) {
      if (each != found.front()) others += (others.empty() ? "\"" : ", \"") + each->name + "\"";
    }
    conversion.notes += path + ": note: the eval is \"" + found.front()->name +
                        "\"; these evals have the same samples and are not used: " + others + "\n";
  }
  return *found.front();
}

void report_settings(Conversion& conversion, const Eval& eval) {
  for (const Eval::Setting& each : eval.settings) {
    conversion.report.add(each.path, each.place,
                          {.kind = ItemKind::agent,
                           .outcome = Outcome::not_mapped,
                           .source = each.key,
                           .text = each.text,
                           .why = "examples belong to the prompt of the agent"});
  }
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
    if (eval_.kind.starts_with("ModelBased")) {
      add_judged(draft, sample);
    } else {
      add_ideal(draft, sample);
    }
    conversion_.finish(std::move(draft), at(sample));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  static std::string name_of(const Node& input) {
    if (!input.is_list()) return cut(as_text(input), 80);
    std::string text = last_user_text(input);
    if (text.empty() && !input.items.empty()) text = input.items.back().text_of("content");
    return text.empty() ? "sample" : cut(text, 80);
  }

  static std::vector<std::string> texts_in(const Node& ideal) {
    if (!ideal.is_list()) return {as_text(ideal)};
    std::vector<std::string> texts;
    for (const Node& each : ideal.items) texts.push_back(as_text(each));
    return texts;
  }

  static const Node* ideal_of(const Node& sample) { return sample.first_of({"ideal", "expected", "answer"}); }

  /// Whether all messages are system messages, so that the model answers the last of them.
  static bool is_system_only(const Node& input) {
    const auto is_system = [](const Node& each) { return each.text_of("role") == "system"; };
    return !input.items.empty() && std::all_of(input.items.begin(), input.items.end(), is_system) &&
           input.items.back().find("name") == nullptr && !input.items.back().text_of("content").empty();
  }

  void add_input(TestDraft& draft, const Node& input) {
    if (!input.is_list()) return conversion_.say(draft, as_text(input), at(input), {.source = "input"});
    if (!is_system_only(input)) return add_given_messages(conversion_, draft, source_, input, "input");
    const Node& last = input.items.back();
    for (const Node& each : input.items) {
      if (&each != &last) add_to_history(conversion_, draft, source_, each);
    }
    conversion_.say(
        draft, last.text_of("content"), at(last),
        {.outcome = Outcome::approximated,
         .source = "system",
         .why = "the sample has no user message; the last system message becomes the user's turn"});
  }

  /// A model judges by criteria, by the ideal answer, or by a prompt in another file.
  void add_judged(TestDraft& draft, const Node& sample) {
    const Node* own = sample.find("criteria");
    const std::string criteria = own != nullptr ? as_text(*own) : eval_.criteria;
    if (!criteria.empty()) {
      return conversion_.check(draft, criterion_of(criteria), at(own != nullptr ? *own : sample),
                               {.source = "criteria", .text = criteria});
    }
    const Node* ideal = ideal_of(sample);
    const std::vector<std::string> texts = ideal == nullptr ? std::vector<std::string>{} : texts_in(*ideal);
    if (!texts.empty()) {
      return conversion_.check(draft, criterion_says_any(texts, 0), at(*ideal),
                               {.source = "ideal", .text = as_text(*ideal)});
    }
    conversion_.lose(draft, at(sample),
                     {.source = "modelgraded_spec",
                      .text = eval_.spec,
                      .why = "the prompt that the model judges with is in another file"});
  }

  void add_ideal(TestDraft& draft, const Node& sample) {
    const Node* ideal = ideal_of(sample);
    if (!compares_texts()) {
      const std::string why = "the class " + eval_.kind + " is code";
      if (ideal == nullptr)
        return conversion_.lose(draft, at(sample), {.source = "class", .text = eval_.name, .why = why});
      return conversion_.lose(draft, at(*ideal), {.source = "ideal", .text = as_text(*ideal), .why = why});
    }
    const std::vector<std::string> texts = ideal == nullptr ? std::vector<std::string>{} : texts_in(*ideal);
    if (texts.empty()) {
      return conversion_.lose(draft, ideal == nullptr ? at(sample) : at(*ideal),
                              {.source = "ideal", .why = "the sample has no ideal answer"});
    }
    Item item{.source = "ideal", .text = as_text(*ideal)};
    const Ignoring ignoring = eval_.ignores_case ? Ignoring::letter_case : Ignoring::nothing;
    if (eval_.kind == "Match")
      return conversion_.check(draft, any_of("starts-with", texts, ignoring), at(*ideal), std::move(item));
    if (eval_.kind == "Includes")
      return conversion_.check(draft, any_of("contains", texts, ignoring), at(*ideal), std::move(item));
    add_fuzzy(draft, texts, *ideal, std::move(item));
  }

  [[nodiscard]] bool compares_texts() const {
    return eval_.kind == "Match" || eval_.kind == "Includes" || eval_.kind == "FuzzyMatch";
  }

  static Check any_of(std::string_view type, const std::vector<std::string>& texts, Ignoring ignoring) {
    if (texts.size() == 1) return text_check(type, texts.front(), "turn:0", ignoring);
    return texts_check(type, texts, "turn:0", ignoring);
  }

  void add_fuzzy(TestDraft& draft, const std::vector<std::string>& texts, const Node& ideal, Item item) {
    item.outcome = Outcome::approximated;
    item.why = "the source normalizes texts and compares both ways";
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

/// Whether the row is a sample without an ideal answer: nothing but an input, which is a list of messages, and criteria.
bool is_bare_sample(const Node& row) {
  const Node* input = row.find("input");
  return input != nullptr && is_message_list(*input) &&
         std::all_of(row.items.begin(), row.items.end(),
                     [](const Node& each) { return each.key == "input" || each.key == "criteria"; });
}

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
    if (tree) take_registry(source->path, *tree, evals);
    ++conversion.totals.files;
  }
  if (samples.empty() && conversion.faults.empty()) {
    conversion.faults.add(conversion.options.paths.front(), "is a registry; name the samples (.jsonl), too");
  }
  for (const Source& source : samples) {
    conversion.begin_output(source.path, stem_of(source.path));
    read_output(conversion, source, [&] {
      const Eval eval = eval_of(conversion, evals, source.path);
      report_settings(conversion, eval);
      SampleReader reader(conversion, source, eval);
      for_each_row(conversion, source, [&](const Node& row) { reader.add(row); });
    });
  }
}

int looks_like_openai_evals(const std::string& path, std::string_view /*text*/, const Node* head) {
  if (head == nullptr || !head->is_map()) return 0;
  if (head->find("input") != nullptr && head->find("ideal") != nullptr) return 80;
  if (is_bare_sample(*head)) return 45;
  if (!is_yaml(path) || head->items.empty()) return 0;
  for (const Node& each : head->items) {
    if (each.find("class") != nullptr && each.text_of("class").starts_with("evals.")) return 70;
  }
  return 0;
}

}  // namespace parley::convert
