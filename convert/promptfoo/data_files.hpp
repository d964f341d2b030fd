#pragma once
/// The files that a configuration names: which of them are data, and which folder they must be in. One thread.

#include <filesystem>

#include "convert/promptfoo/template.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Whether the name is that of a file with code, which is never opened.
[[nodiscard]] bool is_code_file(std::string_view name);
/// The file name in a reference, without `file://` and without a function name after the last colon of a code file.
[[nodiscard]] std::string file_name_of(std::string_view reference);
/// Whether the file name contains `*`, `?` or `{a,b}`.
[[nodiscard]] bool is_glob(std::string_view name);
/// The names of the files below the folder of the source that match the glob, sorted. `**` matches any number of
/// folders.
[[nodiscard]] std::vector<std::string> matching_files(Conversion& conversion, const Source& source,
                                                      const std::string& pattern);
/// The folder of the PATH, which must contain its data files.
[[nodiscard]] std::filesystem::path folder_of(const Source& source);
/// Reads an optional data file beside `source`, the PATH. nullopt: it is missing, or a fault was added because it is
/// outside the folder of the PATH. `at` is where the file is named.
[[nodiscard]] std::optional<Source> read_data_file(Conversion& conversion, const Source& source, const At& at,
                                                   const std::string& name);

/// Whether the text is `file://NAME`.
[[nodiscard]] bool is_file_reference(std::string_view text);

/// Replaces a variable `file://NAME` with the text of that file, the JSON of a YAML file, or a list of texts for a glob.
/// References to code, images and missing files are kept. Every use of a file counts as input, which limits the suite.
/// Names are relative to the folder of `source`, the PATH; `from` is the file that contains the variable.
void fill_file_variable(Conversion& conversion, const Source& source, const Source& from, Node& value);
/// Removes one line end at the end of each variable; a YAML block ends with one.
void drop_line_ends(Variables& variables);
/// The test with the variables from the files that its `vars` names, instead of the file names. `source` is the file
/// that lists the test.
[[nodiscard]] Node with_named_variables(Conversion& conversion, const Source& configuration,
                                        const Source& source, const Node& test);
/// Fills in `file://NAME` in the values of an assertion, and of the assertions in a set: the tree of a JSON or YAML file,
/// else the text. `from` is the file that contains the assertion.
void fill_file_values(Conversion& conversion, const Source& source, const Source& from, Node& assertion);

}  // namespace parley::convert
