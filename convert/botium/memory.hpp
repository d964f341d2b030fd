#pragma once
/// Tables of variables of Botium. One thread.

#include "convert/botium/library.hpp"

namespace parley::convert {

/// Adds a case. Cases of the same variables are choices, whatever file they are in. Needs: a variable.
void add_memory(ConvoLibrary& library, MemoryRow&& row);

/// Adds the cases of a table. If its second line begins with a variable, the cases are in columns, else in lines.
void add_memory_table(const std::vector<std::vector<std::string>>& lines, ConvoLibrary& library);

}  // namespace parley::convert
