#include "convert/reading/csv.hpp"

#include <algorithm>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// The most frequent separator of the first line, outside quotes.
char separator_of(std::string_view text) {
  std::size_t commas = 0;
  std::size_t semicolons = 0;
  std::size_t tabs = 0;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\n') break;
    commas += c == ',' ? 1 : 0;
    semicolons += c == ';' ? 1 : 0;
    tabs += c == '\t' ? 1 : 0;
  }
  if (tabs > commas && tabs >= semicolons) return '\t';
  return semicolons > commas ? ';' : ',';
}

class Reader {
 public:
  Reader(const Source& source, Faults& faults)
      : source_(source),
        text_(source.text),
        separator_(separator_of(source.text)),
        cursor_(source.text),
        faults_(faults) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  /// The cells of the next row; nullopt: a fault was added.
  std::optional<std::vector<Cell>> row() {
    std::vector<Cell> cells;
    while (true) {
      auto cell = next_cell();
      if (!cell) return std::nullopt;
      cells.push_back(std::move(*cell));
      if (at_end()) break;
      const char c = text_[at_++];
      if (c == '\n') break;
    }
    return cells;
  }

 private:
  std::optional<Cell> next_cell() {
    Cell cell{{}, cursor_.to(at_)};
    if (at_ < text_.size() && text_[at_] == '"') {
      if (!quoted(cell)) return std::nullopt;
    }
    const std::size_t end = text_.find_first_of(separator_ == '\t'  ? "\t\n"
                                                : separator_ == ';' ? ";\n"
                                                                    : ",\n",
                                                at_);
    cell.text += text_.substr(at_, end - at_);
    at_ = std::min(end, text_.size());
    return cell;
  }

  bool quoted(Cell& cell) {
    ++at_;
    while (true) {
      const std::size_t quote = text_.find('"', at_);
      if (quote == std::string_view::npos) {
        faults_.add(source_, cell.place, "an unterminated quoted cell");
        return false;
      }
      cell.text += text_.substr(at_, quote - at_);
      at_ = quote + 1;
      if (at_ >= text_.size() || text_[at_] != '"') return true;
      cell.text += '"';
      ++at_;
    }
  }

  const Source& source_;
  std::string_view text_;
  char separator_;
  PlaceCursor cursor_;
  Faults& faults_;
  std::size_t at_ = 0;
};

bool is_blank(const std::vector<Cell>& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [](const Cell& cell) { return ascii::trimmed(cell.text, " \t").empty(); });
}

}  // namespace

std::optional<std::size_t> Table::column(std::string_view name) const {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (headers[i].text == name) return i;
  }
  return std::nullopt;
}

std::optional<Table> parse_csv(const Source& source, Faults& faults) {
  Reader reader(source, faults);
  Table table;
  auto headers = reader.at_end() ? std::nullopt : reader.row();
  if (!headers) {
    if (faults.empty()) faults.add(source, {1, 1}, "the file is empty; the first line must name the columns");
    return std::nullopt;
  }
  for (Cell& header : *headers) header.text = ascii::trimmed(header.text);
  table.headers = std::move(*headers);
  while (!reader.at_end()) {
    auto row = reader.row();
    if (!row) return std::nullopt;
    if (is_blank(*row)) continue;
    while (row->size() > table.headers.size() && row->back().text.empty()) row->pop_back();
    if (row->size() > table.headers.size()) {
      faults.add(source, (*row)[table.headers.size()].place,
                 "the row has " + std::to_string(row->size()) + " cells and the header " +
                     std::to_string(table.headers.size()) + "; quote cells that contain the separator");
      return std::nullopt;
    }
    row->resize(table.headers.size(), Cell{{}, row->back().place});
    table.rows.push_back(std::move(*row));
  }
  return table;
}

}  // namespace parley::convert
