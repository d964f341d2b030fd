#pragma once
/// Walks through a trace and opens images of the disk with the store's own recovery. An image is good if the store
/// opens, its content is exactly that of one commit, and every fact acknowledged until then holds. The expected content
/// of a commit is taken from the running machine: the image with everything written, at the end of that commit.

#include <map>
#include <string>
#include <vector>

#include "tests/power/world.hpp"

namespace parley::power {

struct Plan {
  std::size_t images = 0;
  std::uint64_t seed = 0;
  Without without;
  std::size_t keep_every = 0;  ///< every n-th image is kept as a directory; 0 keeps none
  std::filesystem::path keep_in;
};

struct Report {
  std::size_t events = 0;
  std::size_t commits = 0;
  std::size_t instants = 0;  ///< instants with data that a power cut could lose
  std::size_t images = 0;
  std::size_t facts = 0;
  std::size_t refused = 0;          ///< images that the store did not open
  std::size_t torn = 0;             ///< images whose content matches no commit
  std::size_t lost = 0;             ///< images that lack an acknowledged fact
  std::vector<std::string> faults;  ///< descriptions of the first few
  [[nodiscard]] bool is_good() const { return refused + torn + lost == 0; }
};

class Examiner {
 public:
  Examiner(std::vector<Event> events, std::vector<Fact> facts, Plan plan, std::filesystem::path stage);

  /// Throws std::runtime_error if the trace itself is wrong: a fact was missing even on the running machine.
  [[nodiscard]] Report examine();
  /// The files at the end of the trace, for comparison with those that the server left.
  [[nodiscard]] Image end_of_trace() const;

 private:
  struct Commit {
    std::uint64_t sum = 0;
    std::uint64_t position = 0;
  };

  void learn_commits();
  void learn_commit(const Disk& disk, std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] std::vector<Fact>::const_iterator first_after(std::uint64_t position) const;
  void spread_images();
  void examine_instant(const Disk& disk, std::size_t number);
  void look_at(const Image& image, const std::string& where);
  void look_into(const store::Store& store, const std::string& where);
  void keep(const Image& image);
  void fault(std::size_t& count, const std::string& what);

  std::vector<Event> events_;
  std::vector<Fact> facts_;
  Plan plan_;
  Stage stage_;
  std::mt19937_64 random_;
  std::map<std::uint64_t, Commit> commits_;  ///< by LMDB's transaction number
  std::vector<std::size_t> shares_;          ///< the number of images for each event
  std::uint64_t now_ = 0;                    ///< the position of the instant under examination
  Report report_;
};

}  // namespace parley::power
