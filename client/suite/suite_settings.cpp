#include <algorithm>

#include "client/files/secret_spans.hpp"
#include "client/suite/check_keys.hpp"
#include "client/suite/suite_parts.hpp"
#include "model/records/custom_fields.hpp"
#include "model/text/ascii.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

/// Removes line ends at the end. A secret in a file usually ends with a line end that is not part of it.
std::string secret_text(SuiteSources& sources, const View& value) {
  std::string text = sources.text_of(value).text;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::vector<std::string> texts_of(const View& value) {
  std::vector<std::string> texts;
  for (const View& each : value.names()) texts.push_back(each.text());
  return texts;
}

bool is_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

void check_url(SuiteSources& sources, const View& value) {
  if (value && !value.text().empty() && !is_url(value.text())) {
    sources.error("wrong-type", "a URL begins with http:// or https://", value.place());
  }
  if (value && has_user(value.text())) {
    sources.error("url-user",
                  "a user name or password in the URL is not supported; use \"secrets\" or \"key\"",
                  value.place());
  }
}

/// Reads the config of an agent's record, key by key.
class AgentReader {
 public:
  AgentReader(SuiteSources& sources, const Named& named, std::vector<std::string>& secrets)
      : sources_(sources), value_(named.value), secrets_(secrets) {
    agent_.name = named.name;
    agent_.key = slug_of(named.name);
    agent_.place = file_place(named.place);
  }

  CompiledAgent read(const source::Place& named_at) {
    if (value_.node == nullptr || !value_.node->is(source::NodeKind::mapping)) return agent_;
    find_kind(named_at);
    check_keys_of_kind();
    agent_.concurrency = value_.at("concurrency").whole().value_or(0);
    if (const auto knowledge = texts_of(value_.at("knowledge")); !knowledge.empty())
      write_knowledge(knowledge);
    config_.begin_object();
    if (kind_ == "http") read_http();
    if (kind_ == "openai") read_openai();
    if (kind_ == "github") read_github();
    if (kind_ == "exec") read_exec();
    if (kind_ == "external") agent_.type = "EXTERNAL";
    if (kind_ == "demo") agent_.type = "DEMO";
    config_.end_object();
    agent_.config = std::move(config_).text();
    read_secrets();
    return agent_;
  }

 private:
  void find_kind(const source::Place& named_at) {
    for (const source::Member& member : value_.node->members) {
      const auto kinds = agent_kinds();
      const auto each = std::find(kinds.begin(), kinds.end(), member.name);
      if (each == kinds.end() || member.value->is(source::NodeKind::null)) continue;
      if (!kind_.empty()) {
        sources_.error(
            "second-type",
            "an agent is one thing; \"" + std::string(kind_) + "\" and \"" + member.name + "\" are two",
            {value_.file, member.name_at});
        continue;
      }
      kind_ = *each;
    }
    if (kind_.empty()) {
      sources_.error(
          "missing-key",
          "agent \"" + agent_.name + "\" needs one of http, openai, exec, github, external or demo",
          named_at);
    }
    const bool must_be_true = kind_ == "external" || kind_ == "demo";
    if (must_be_true && value_.at(kind_).is_flag() && !value_.at(kind_).flag()) {
      sources_.error("wrong-type", "\"" + std::string(kind_) + "\" must be true", value_.at(kind_).place());
    }
  }

  void check_keys_of_kind() {
    for (const source::Member& member : value_.node->members) {
      const FileKey* key = find_key(sections::agent, member.name);
      if (key == nullptr || key->only_for.empty() || kind_.empty()) continue;
      if ((" " + std::string(key->only_for) + " ").find(" " + std::string(kind_) + " ") != std::string::npos)
        continue;
      sources_.error("unknown-key",
                     "\"" + member.name + "\" is not for an agent of \"" + std::string(kind_) +
                         "\"; it is for " + std::string(key->only_for),
                     {value_.file, member.name_at});
    }
  }

  void write_knowledge(const std::vector<std::string>& knowledge) {
    json::Writer out;
    out.begin_object().key("knowledge").begin_array();
    for (const std::string& each : knowledge) out.string(each);
    out.end_array().end_object();
    agent_.metadata = std::move(out).text();
  }

  void text_key(std::string_view name, std::string_view in_config) {
    if (const View value = value_.at(name)) config_.member(in_config, sources_.text_of(value).text);
  }
  void json_key(std::string_view name) {
    if (const View value = value_.at(name)) config_.key(name).raw(json_of(value));
  }
  /// Returns the JSON in the file of `file:PATH`, or the value itself as JSON.
  std::string json_of(const View& value) {
    if (!sources_.is_file_reference(value)) return value.json();
    const std::string text = sources_.text_of(value).text;
    if (const auto parsed = json::parse(text); parsed.ok()) return json::compacted(text);
    sources_.error("json", "the file is not JSON", value.place());
    return "null";
  }
  void bounds() {
    if (const View timeout = value_.at("timeout")) {
      if (const auto ms = duration_of(timeout.text())) config_.key("timeoutMs").integer(*ms);
    }
    if (const auto retries = value_.at("retries").whole()) config_.key("retries").integer(*retries);
  }

  void read_http() {
    agent_.type = "HTTP";
    check_url(sources_, value_.at("http"));
    text_key("http", "url");
    if (const View headers = value_.at("headers")) write_texts(headers);
    bounds();
    text_key("method", "method");
    for (const std::string_view key : {"request", "reply", "query", "stream", "oauth"}) json_key(key);
  }
  void write_texts(const View& headers) {
    config_.key("headers").begin_object();
    for (const source::Member& member : headers.node->members)
      config_.member(member.name, member.value->text);
    config_.end_object();
  }

  void read_openai() {
    agent_.type = "OPENAI";
    check_url(sources_, value_.at("openai"));
    text_key("openai", "url");
    if (!value_.at("model")) {
      sources_.error("missing-key", "an agent of \"openai\" needs \"model\"", value_.key_place("openai"));
    }
    text_key("model", "model");
    text_key("system", "system");
    json_key("parameters");
    json_key("tools");
    bounds();
  }

  void read_github() {
    agent_.type = "GITHUB";
    const std::string whole = value_.at("github").text();
    const auto slash = whole.find('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == whole.size() ||
        whole.find('/', slash + 1) != std::string::npos) {
      sources_.error("wrong-type", "\"github\" must be owner/repo", value_.at("github").place());
      return;
    }
    config_.member("owner", whole.substr(0, slash)).member("repo", whole.substr(slash + 1));
    if (!value_.at("workflow")) {
      sources_.error("missing-key", "an agent of \"github\" needs \"workflow\"", value_.key_place("github"));
    }
    text_key("workflow", "workflow");
    config_.member("ref", value_.at("ref") ? value_.at("ref").text() : "main");
    text_key("api-url", "apiUrl");
  }

  void read_exec() {
    agent_.type = "LOCAL";
    ExecSettings exec;
    exec.command = texts_of(value_.at("exec"));
    if (exec.command.empty() || exec.command.front().empty()) {
      sources_.error("wrong-type", "\"exec\" must be a list of a program and its arguments",
                     value_.at("exec").place());
    }
    exec.env = texts_of(value_.at("env"));
    exec.watch = texts_of(value_.at("watch"));
    exec.cwd = sources_.folder();
    if (const View cwd = value_.at("cwd")) exec.cwd = sources_.inside(cwd.text(), cwd).value_or(exec.cwd);
    if (const View timeout = value_.at("timeout"))
      exec.timeout_ms = duration_of(timeout.text()).value_or(exec.timeout_ms);
    exec.retries = value_.at("retries").whole().value_or(0);
    if (const View mode = value_.at("mode")) read_mode(mode, exec);
    agent_.exec = std::move(exec);
  }

  void read_mode(const View& mode, ExecSettings& exec) {
    const std::string word = mode.text();
    if (word == "session") return;
    if (word == "turn") {
      exec.mode = ExecSettings::Mode::turn;
      return;
    }
    const auto size = mode.at("pool").whole();
    if (size && *size >= 1 && *size <= 1'000 && mode.node->members.size() == 1) {
      exec.mode = ExecSettings::Mode::pool;
      exec.pool_size = *size;
      return;
    }
    sources_.error("wrong-type", "\"mode\" must be \"session\", \"turn\" or {pool: N} with N from 1 to 1000",
                   mode.place());
  }

  void read_secrets() {
    const View secrets = value_.at("secrets");
    if (!secrets) return;
    json::Writer out;
    out.begin_object();
    for (const source::Member& member : secrets.node->members) {
      const std::string text = secret_text(sources_, {member.value, value_.file});
      out.member(member.name, text);
      if (!text.empty()) secrets_.push_back(text);
    }
    out.end_object();
    agent_.secrets = std::move(out).text();
  }

  SuiteSources& sources_;
  View value_;
  std::vector<std::string>& secrets_;
  std::string_view kind_;
  CompiledAgent agent_;
  json::Writer config_;
};

}  // namespace

FilePlace file_place(const source::Place& place) {
  const source::Position position = place.file->position(place.at.begin);
  return {place.file->name(), position.line, position.column};
}

std::vector<Named> named_in(SuiteSources& sources, const std::vector<View>& files, std::string_view key) {
  std::vector<Named> all;
  for (const View& file : files) {
    const View group = file.at(key);
    if (!group || !group.node->is(source::NodeKind::mapping)) continue;
    for (const source::Member& member : group.node->members) {
      const source::Place place{file.file, member.name_at};
      const auto earlier = std::find_if(all.begin(), all.end(), [&](const Named& each) {
        return each.name == member.name || slug_of(each.name) == slug_of(member.name);
      });
      if (earlier != all.end()) {
        sources.error("duplicate-key",
                      "\"" + member.name + "\" is taken by " + source::place_text(earlier->place), place);
        continue;
      }
      all.push_back({member.name, {member.value, file.file}, place});
    }
  }
  return all;
}

ModelSettings read_model(SuiteSources& sources, const View& value, std::vector<std::string>& secrets) {
  ModelSettings settings;
  if (!value) return settings;
  if (value.text() == "none") {
    settings.use = ModelSettings::Use::none;
    return settings;
  }
  settings.use = ModelSettings::Use::model;
  check_url(sources, value.at("url"));
  settings.url = value.at("url").text();
  settings.model = value.at("model").text();
  if (const View key = value.at("key")) settings.key = secret_text(sources, key);
  if (!settings.key.empty()) secrets.push_back(settings.key);
  if (const View parameters = value.at("parameters")) settings.parameters = parameters.json();
  if (const View timeout = value.at("timeout")) settings.timeout_ms = duration_of(timeout.text());
  return settings;
}

GateSettings read_gate(const View& value) {
  GateSettings gate;
  gate.min_pass_rate = value.at("min-pass-rate").number();
  gate.min_score = value.at("min-score").number();
  gate.baseline = value.at("baseline").text();
  gate.allow_open = value.at("allow-open").flag();
  gate.allow_undecided = value.at("allow-undecided").flag();
  gate.max_cost = value.at("max-cost").number();
  if (const View time = value.at("max-time")) gate.max_time_ms = duration_of(time.text());
  gate.per_test = ratio_of(value.at("per-test").text());
  return gate;
}

CompiledAgent read_agent(SuiteSources& sources, const Named& named, std::vector<std::string>& secrets) {
  return AgentReader(sources, named, secrets).read(named.place);
}

CompiledPersona read_persona(SuiteSources& sources, const Named& named) {
  return {slug_of(named.name), named.name, sources.text_of(named.value.at("description")).text,
          sources.text_of(named.value.at("instruction")).text, file_place(named.place)};
}

std::vector<FieldDef> read_fields(SuiteSources& sources, const View& value) {
  std::vector<FieldDef> fields;
  if (!value || !value.node->is(source::NodeKind::mapping)) return fields;
  for (const source::Member& member : value.node->members) {
    const View each{member.value, value.file};
    FieldDef field;
    field.key = member.name;
    field.label = each.at("label").text();
    field.type = from_word<FieldType>(each.at("type").text()).value_or(FieldType::string);
    if (each.at("options")) field.options = texts_of(each.at("options"));
    field.is_required = each.at("required").flag();
    if (each.at("default")) field.default_value = json::Text{each.at("default").json()};
    fields.push_back(std::move(field));
    Findings findings;
    check_field_defs({fields.back()}, "", findings);
    for (const Fault& fault : findings.faults) {
      sources.error("field", "field \"" + member.name + "\": " + fault.detail, {value.file, member.name_at});
    }
  }
  return fields;
}

namespace {

std::string unknown_field(const std::string& name, const std::vector<FieldDef>& fields) {
  std::vector<std::string> names;
  for (const FieldDef& each : fields) names.push_back(each.key);
  return "field \"" + name + "\" is not defined" + did_you_mean(name, names);
}

/// Lists the options of a field, such as `: Oslo, Wien`.
std::string options_text(const FieldDef& field) {
  std::string text;
  if (field.options)
    for (const std::string& each : *field.options) text += (text.empty() ? ": " : ", ") + each;
  return text;
}

}  // namespace

void check_field_values(SuiteSources& sources, const std::vector<FieldDef>& fields,
                        const GivenFields& values) {
  if (fields.empty()) return;
  Findings findings;
  check_fields({{values.json}, {"{}"}}, fields, "", findings);
  for (const Fault& fault : findings.faults) {
    const std::string name = fault.pointer.empty() ? "" : fault.pointer.substr(1);
    const auto defined =
        std::find_if(fields.begin(), fields.end(), [&](const FieldDef& each) { return each.key == name; });
    const bool is_here = values.given && values.given.node->find(name) != nullptr;
    if (defined == fields.end()) {
      sources.error("field", unknown_field(name, fields),
                    is_here ? values.given.key_place(name) : values.place);
    } else {
      sources.error("field", "field \"" + name + "\" " + fault.detail + options_text(*defined),
                    is_here ? values.given.at(name).place() : values.place);
    }
  }
}

}  // namespace parley::client
