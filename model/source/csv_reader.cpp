#include "model/source/csv_reader.hpp"

#include <algorithm>

#include "model/text/utf8.hpp"

namespace parley::source {
namespace {

class CsvReader {
 public:
  CsvReader(const SourceFilePtr& file, char separator)
      : file_(file), text_(file->text()), separator_(separator) {}

  ReadCsv read(const CsvBounds& bounds) && {
    if (const std::size_t bad = utf8_fault(text_); bad != std::string_view::npos) {
      fault("not-utf8", "the file is not UTF-8; save it as UTF-8", bad);
      return std::move(read_);
    }
    std::size_t cells = 0;
    while (at_ < text_.size() && read_.faults.empty()) {
      Row row = next_row();
      cells += row.size();
      const bool is_blank = row.size() == 1 && row.front().at.begin == row.front().at.end;
      if (!is_blank) read_.rows.push_back(std::move(row));
      if (cells > bounds.cells_max)
        fault("too-large", "more than " + std::to_string(bounds.cells_max) + " cells", at_);
    }
    return std::move(read_);
  }

 private:
  void fault(std::string code, std::string message, std::size_t at) {
    read_.faults.push_back({Level::error, std::move(code), std::move(message), {file_, {at, at + 1}}});
  }

  [[nodiscard]] bool at_line_end() const {
    return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r';
  }

  Row next_row() {
    Row row;
    row.push_back(next_cell());
    while (at_ < text_.size() && text_[at_] == separator_) {
      ++at_;
      row.push_back(next_cell());
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    return row;
  }

  Cell next_cell() {
    if (at_ < text_.size() && text_[at_] == '"') return quoted_cell();
    const std::size_t begin = at_;
    while (!at_line_end() && text_[at_] != separator_) ++at_;
    return {std::string(text_.substr(begin, at_ - begin)), {begin, at_}};
  }

  /// A doubled quotation mark is one quotation mark of the text.
  Cell quoted_cell() {
    Cell cell;
    cell.at.begin = at_;
    for (std::size_t from = at_ + 1;; from = at_) {
      const std::size_t quote = text_.find('"', from);
      if (quote == std::string_view::npos) {
        fault("csv", "an unterminated quotation mark", cell.at.begin);
        at_ = text_.size();
        return cell;
      }
      cell.text.append(text_.substr(from, quote - from));
      at_ = quote + 1;
      if (at_ >= text_.size() || text_[at_] != '"') break;
      cell.text.push_back('"');
      ++at_;
    }
    if (!at_line_end() && text_[at_] != separator_) {
      fault("csv", "text after the end of a cell in quotation marks", at_);
      at_ = text_.size();
    }
    cell.at.end = at_;
    return cell;
  }

  SourceFilePtr file_;
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  ReadCsv read_;
};

}  // namespace

ReadCsv read_csv(const SourceFilePtr& file, char separator, const CsvBounds& bounds) {
  return CsvReader(file, separator).read(bounds);
}

}  // namespace parley::source
