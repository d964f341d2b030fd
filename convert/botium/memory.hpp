#pragma once
/// Botium's tables of variables. One thread.

#include "convert/botium/library.hpp"

namespace parley::convert {

/// Adds a case. Cases with the same variables are alternatives, even if they are in different files. Needs: at least
/// one variable.
void add_memory(ConvoLibrary& library, MemoryRow&& row);

/// Adds the cases of a table. If the second line begins with a variable, each column is a case, else each line.
void add_memory_table(const std::vector<std::vector<std::string>>& lines, ConvoLibrary& library);

}  // namespace parley::convert
