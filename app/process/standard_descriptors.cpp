#include "app/process/standard_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace parley::app {

bool fill_standard_descriptors() {
  for (const int wanted : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(wanted, F_GETFD) >= 0) continue;
    // open() returns the lowest free number, and the lower ones are open by now.
    if (::open("/dev/null", O_RDWR) != wanted) return false;
  }
  return true;
}

}  // namespace parley::app
