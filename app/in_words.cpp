#include "app/in_words.hpp"

#include <cstdio>
#include <exception>

#include "app/exit_codes.hpp"
#include "store/lmdb.hpp"

namespace parley::app {

int in_words(const std::function<int()>& act) {
  try {
    return act();
  } catch (const store::LmdbError& error) {
    if (!error.is_damage()) {
      std::fprintf(stderr, "parley: the data file cannot be used: %s\n", error.what());
      return exit_failed;
    }
    std::fprintf(stderr, "parley: the data file is damaged: %s; restore it from a backup (parley restore)\n",
                 error.what());
    return exit_damaged;
  } catch (const store::CorruptError& error) {
    std::fprintf(stderr, "parley: %s\n", store::problem_of(error.corrupt()).detail.c_str());
    return exit_damaged;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parley: %s\n", error.what());
    return exit_failed;
  }
}

}  // namespace parley::app
