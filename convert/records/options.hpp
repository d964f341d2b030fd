#pragma once
/// The command line options of a conversion. Plain values.

#include <string>
#include <vector>

namespace parley::convert {

struct Options {
  std::string format;  ///< name of a format in the table of formats, or `auto`
  std::vector<std::string> paths;
  std::string folder = ".";  ///< -o
  std::string report;        ///< --report; empty: the default
  std::string into;          ///< --into
  std::string as;            ///< tests, logs or empty
  bool is_strict = false;
  bool is_forced = false;
  bool is_json = false;

  // Options that only some formats have.
  std::vector<std::string> say;     ///< --say VAR or COL
  std::vector<std::string> expect;  ///< --expect COL[:TYPE]
  std::string check;                ///< --check equals|levenshtein|criteria
  std::string group;                ///< --group COL
  std::string order;                ///< --order COL
  std::string name;                 ///< --name COL
  std::vector<std::string> fields;  ///< --field COL
  bool may_guess = false;           ///< --guess
  std::string domain;               ///< --domain FILE
  bool with_nlu = false;            ///< --nlu
  std::string utterances = "all";   ///< --utterances all|first
};

}  // namespace parley::convert
