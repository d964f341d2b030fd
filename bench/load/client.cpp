#include "bench/load/client.hpp"

#include "bench/load/modes.hpp"

namespace parley::load {

void Work::add_made(std::string line) {
  const std::lock_guard lock(mutex);
  made.push_back(std::move(line));
}

std::unique_ptr<Client> make_client(Work& work, std::size_t number) {
  const std::string& mode = work.options.mode;
  if (mode == "get") return std::make_unique<GetClient>(work, number);
  if (mode == "append") return std::make_unique<AppendClient>(work, number);
  if (mode == "conversation" || mode == "seed") return std::make_unique<ConversationClient>(work);
  if (mode == "raw") return std::make_unique<RawClient>(work);
  if (mode == "heartbeat") return std::make_unique<HeartbeatClient>(work, number);
  if (mode == "each") return std::make_unique<EachClient>(work);
  return nullptr;
}

void append_request(std::string& out, const Work& work, std::string_view method, std::string_view path,
                    std::string_view body, std::string_view extra) {
  out += method;
  out += ' ';
  out += path;
  out += " HTTP/1.1\r\n";
  out += work.common_fields;
  out += extra;
  if (method != "GET") {
    if (!body.empty()) out += "Content-Type: application/json\r\n";
    out += "Content-Length: ";
    out += std::to_string(body.size());
    out += "\r\n";
  }
  out += "\r\n";
  out += body;
}

std::string unexpected(const Answer& answer) {
  return "status " + std::to_string(answer.status) + ": " + std::string(answer.body.substr(0, 300));
}

}  // namespace parley::load
