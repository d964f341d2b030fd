#include "app/process/error_exit.hpp"

#include <exception>
#include <string>

#include "app/options/exit_codes.hpp"
#include "model/crash_message.hpp"
#include "store/engine/lmdb.hpp"

namespace parley::app {

int in_words(const std::function<int()>& act) {
  try {
    return act();
  } catch (const store::LmdbError& error) {
    if (!error.is_damage()) {
      say_last_words("parley: the data file cannot be used: " + std::string(error.what()) + "\n");
      return exit_failed;
    }
    say_last_words("parley: the data file is damaged: " + std::string(error.what()) +
                   "; restore it from a backup (parley restore)\n");
    return exit_damaged;
  } catch (const store::CorruptError& error) {
    say_last_words("parley: " + store::problem_of(error.corrupt()).detail + "\n");
    return exit_damaged;
  } catch (const std::exception& error) {
    say_last_words("parley: " + std::string(error.what()) + "\n");
    return exit_failed;
  }
}

}  // namespace parley::app
