// Replays the corpora, and damaged copies of their files that are the same in every run (F19, F21, F23, F29, F31).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/targets.hpp"

namespace parley::fuzz {
namespace {

std::vector<std::string> corpus_of(std::string_view target) {
  std::vector<std::filesystem::path> files;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(PARLEY_CORPORA) / target)) {
    files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return corpus;
}

/// A copy with bytes changed, removed, duplicated, inserted, or taken from another seed.
std::string damaged(const std::vector<std::string>& corpus, std::mt19937& random) {
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  constexpr std::string_view telling("\r\n \":,\\\0/?*0-+.e{}[]\x7f\xff\xc3", 24);
  std::string bytes = corpus[below(corpus.size())];
  for (auto times = below(5) + 1; times > 0 && !bytes.empty(); --times) {
    const std::size_t at = below(bytes.size());
    const std::string& other = corpus[below(corpus.size())];
    switch (below(6)) {
      case 0: bytes[at] = telling[below(telling.size())]; break;
      case 1: bytes[at] = static_cast<char>(below(256)); break;
      case 2: bytes.erase(at, 1 + below(8)); break;
      case 3: bytes.insert(at, bytes.substr(at, 1 + below(32))); break;
      case 4: bytes.insert(at, 1, telling[below(telling.size())]); break;
      default: bytes.replace(at, below(16), other.substr(other.empty() ? 0 : below(other.size()), 16)); break;
    }
  }
  return bytes;
}

class Corpora : public testing::TestWithParam<Target> {};

TEST_P(Corpora, hold_what_the_target_checks) {
  const std::vector<std::string> corpus = corpus_of(GetParam().name);
  ASSERT_GE(corpus.size(), 3U);
  for (const std::string& bytes : corpus) GetParam().run(bytes);
  std::mt19937 random(7410);
  for (int i = 0; i < GetParam().damaged_copies; ++i) GetParam().run(damaged(corpus, random));
}

INSTANTIATE_TEST_SUITE_P(All, Corpora, testing::ValuesIn(targets),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace parley::fuzz
