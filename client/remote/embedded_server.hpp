#pragma once
/// The port through which a command starts the real server in this process. `app/` implements it. This folder never
/// uses the parts of the server.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/remote/http_client.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// A model endpoint for the tester or the judge.
struct ModelEndpoint {
  std::string url;  ///< empty: explicitly no model
  std::string model;
  std::string key;
  std::string parameters = "{}";
  std::int64_t timeout_ms = 0;  ///< 0: the server's default
};

struct EmbeddedOptions {
  std::filesystem::path data;
  std::filesystem::path log_file;  ///< empty: no log
  std::optional<ModelEndpoint> tester;
  std::optional<ModelEndpoint> judge;
  bool keeps_answers = true;
  bool is_at_rest = false;         ///< the stored data is only read: no agent is called and nothing is scored
  bool is_durable = true;          ///< false for data that is removed at the end
  std::int64_t conversations = 0;  ///< concurrent conversations over all runs; 0: the server's default
};

/// The destructor ends the server: it answers open requests, then stops everything.
class EmbeddedServer {
 public:
  EmbeddedServer() = default;
  EmbeddedServer(const EmbeddedServer&) = delete;
  EmbeddedServer& operator=(const EmbeddedServer&) = delete;
  virtual ~EmbeddedServer() = default;
  [[nodiscard]] virtual const ServerAddress& address() const = 0;
};

/// Problem `conflict`: another process uses the data. Problem `store_refuses`: the data is damaged.
using StartServer = std::function<Expected<std::unique_ptr<EmbeddedServer>>(const EmbeddedOptions&)>;

}  // namespace parley::client
