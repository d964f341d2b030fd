#pragma once
/// The files that a configuration names: which of them are data, and where they must be. One thread.

#include <filesystem>

#include "convert/promptfoo/template.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Names of files that a reader never opens: they hold code.
[[nodiscard]] bool is_code_file(std::string_view name);
/// `file://` is dropped, and so is a function name after the last colon of a code file.
[[nodiscard]] std::string file_name_of(std::string_view reference);
/// Whether the name of a file has `*`, `?` or `{a,b}`.
[[nodiscard]] bool is_glob(std::string_view name);
/// Names of the files below the folder of the source that match the glob, sorted. `**` matches any folders.
[[nodiscard]] std::vector<std::string> matching_files(Conversion& conversion, const Source& source,
                                                      const std::string& pattern);
/// The folder of the PATH: what its data files must be in.
[[nodiscard]] std::filesystem::path folder_of(const Source& source);
/// A data file that may be missing. nullopt: it is, or a fault was added because it is outside the folder of the PATH.
[[nodiscard]] std::optional<Source> read_data_file(Conversion& conversion, const Source& source, Place place,
                                                   const std::string& name);

/// Whether the text is `file://NAME`.
[[nodiscard]] bool is_file_reference(std::string_view text);

/// Replaces each variable `file://NAME` by the text of that file, a YAML file by its JSON, a glob by a list of the texts.
/// References to code, pictures and missing files stay. Every use of a file counts as input, which bounds the suite.
void fill_file_variables(Conversion& conversion, const Source& source, Variables& variables);
/// A line end at the end of a variable is dropped: a block of YAML has one.
void drop_line_ends(Variables& variables);
/// The test with the variables from the files that its `vars` names, in place of the names. `source` lists the
/// test.
[[nodiscard]] Node with_named_variables(Conversion& conversion, const Source& configuration,
                                        const Source& source, const Node& test);
/// The same for the values of an assertion, and of those in a set.
void fill_file_values(Conversion& conversion, const Source& source, Node& assertion);

}  // namespace parley::convert
