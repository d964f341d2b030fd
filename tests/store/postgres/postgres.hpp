#pragma once
/// A separate PostgreSQL server for the test, in a temporary directory and on a free port. One thread.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

namespace parley::store {

/// A free port below those that the kernel assigns to outgoing connections (from 32768), so that none takes it during a
/// restart.
inline int free_port() {
  std::random_device random;
  for (;;) {
    const int port = 20'000 + static_cast<int>(random() % 12'768);
    const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool is_free = ::bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    ::close(probe);
    if (is_free) return port;
  }
}

class Postgres {
 public:
  /// The directory of the PostgreSQL programs; empty if they are not installed.
  [[nodiscard]] static std::string programs() {
    std::string found;
    std::error_code error;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", error))
      if (std::filesystem::exists(version.path() / "bin/initdb")) found = (version.path() / "bin").string();
    return found;
  }

  Postgres() : port_(free_port()) {
    std::string name = "/tmp/parley-postgres-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    home_ = name;
    if (::geteuid() == 0) run("chown postgres " + home_, false);
    run(programs() + "/initdb --auth=trust --username=parley --no-sync -D " + home_ + "/data");
    start();
    run(programs() + "/createdb -h 127.0.0.1 -p " + std::to_string(port_) + " -U parley parley");
  }
  ~Postgres() {
    stop();
    std::error_code ignored;
    std::filesystem::remove_all(home_, ignored);
  }
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

  void start() {
    run(programs() + "/pg_ctl -D " + home_ + "/data -l " + home_ + "/log -w -o \"-p " +
        std::to_string(port_) +
        " -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c shared_buffers=32MB\" start");
  }
  /// Stops the server like a crash.
  void stop() { run(programs() + "/pg_ctl -D " + home_ + "/data -m immediate -w stop"); }
  void sql(const std::string& text) {
    run(programs() + "/psql -X -q -h 127.0.0.1 -p " + std::to_string(port_) + " -U parley -d parley -c \"" +
        text + "\"");
  }
  [[nodiscard]] std::string url() const {
    return "postgresql://parley@127.0.0.1:" + std::to_string(port_) + "/parley";
  }

 private:
  /// Runs the command, by default as the user postgres: the server refuses to run as root.
  static void run(const std::string& command, bool as_postgres = true) {
    const std::string who = as_postgres && ::geteuid() == 0 ? "cd / && runuser -u postgres -- " : "";
    EXPECT_EQ(std::system((who + command + " >/dev/null 2>&1 </dev/null").c_str()), 0) << command;
  }

  int port_;
  std::string home_;
};

}  // namespace parley::store
