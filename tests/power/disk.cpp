#include "tests/power/disk.hpp"

#include <algorithm>
#include <stdexcept>

namespace parley::power {
namespace {

void lay(std::string& content, std::uint64_t sector, const std::string& bytes) {
  const std::size_t offset = sector * sector_bytes;
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size(), '\0');
  content.replace(offset, bytes.size(), bytes);
}

std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

bool chance(std::mt19937_64& random, double probability) {
  return std::bernoulli_distribution(probability)(random);
}

}  // namespace

void Disk::apply(const Event& event) {
  switch (event.kind) {
    case Kind::create: files_.emplace_back(); return name({event.name, files_.size() - 1, {}});
    case Kind::rename: return name({event.bytes, names_.at(event.name), event.name});
    case Kind::remove: return name({event.name, names_.at(event.name), {}, true});
    case Kind::write: return write(file_of(event), event);
    case Kind::truncate:
      throw std::runtime_error("the file " + event.name + " is cut, which is not modelled");
    case Kind::durable:
      if (!without_.meta) make_last_write_durable(file_of(event));
      return;
    case Kind::sync_begin: file_of(event).sync_mark = file_of(event).open.size(); return;
    case Kind::sync_end:
      if (!without_.sync) make_durable(file_of(event), file_of(event).sync_mark);
      return;
    case Kind::sync_directory:
      if (!without_.directory) namings_durable_ = namings_.size();
      return;
  }
}

Disk::File& Disk::file_of(const Event& event) {
  const auto found = names_.find(event.name);
  if (found == names_.end())
    throw std::runtime_error("the file " + event.name + " was there before the trace");
  return files_[found->second];
}

void Disk::write(File& file, const Event& event) {
  const std::size_t end = event.offset + event.bytes.size();
  if (file.cached.size() < end) file.cached.resize(end, '\0');
  file.cached.replace(event.offset, event.bytes.size(), event.bytes);
  file.last_write = ++writes_;
  for (std::uint64_t sector = event.offset / sector_bytes; sector * sector_bytes < end; ++sector) {
    file.open.push_back({sector, file.last_write, file.cached.substr(sector * sector_bytes, sector_bytes)});
  }
}

void Disk::make_durable(File& file, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) lay(file.durable, file.open[i].number, file.open[i].bytes);
  file.open.erase(file.open.begin(), file.open.begin() + static_cast<std::ptrdiff_t>(count));
  file.sync_mark = 0;
}

void Disk::make_last_write_durable(File& file) {
  std::set<std::uint64_t> written;
  for (const Sector& sector : file.open) {
    if (sector.write != file.last_write) continue;
    lay(file.durable, sector.number, sector.bytes);
    written.insert(sector.number);
  }
  std::erase_if(file.open, [&](const Sector& sector) { return written.contains(sector.number); });
}

void Disk::name(Naming naming) {
  if (naming.is_removal) {
    names_.erase(naming.name);
  } else {
    if (!naming.from.empty()) names_.erase(naming.from);
    names_[naming.name] = naming.file;
  }
  namings_.push_back(std::move(naming));
}

Disk::Names Disk::names_after(std::size_t count) const {
  Names names;
  for (std::size_t i = 0; i < count; ++i) {
    const Naming& naming = namings_[i];
    if (!naming.from.empty()) names.erase(naming.from);
    if (naming.is_removal) {
      names.erase(naming.name);
    } else {
      names[naming.name] = naming.file;
    }
  }
  return names;
}

std::size_t Disk::open_choices() const {
  std::size_t count = namings_.size() - namings_durable_;
  for (const auto& [name, file] : names_) count += files_[file].open.size();
  return count;
}

std::string Disk::content(const File& file, Pick pick, std::mt19937_64& random) {
  if (pick == Pick::everything) return file.cached;
  std::string bytes = file.durable;
  if (file.open.empty() || pick == Pick::nothing) return bytes;
  constexpr double densities[] = {0.03, 0.5, 0.97};
  const double density = densities[below(random, std::size(densities))];
  const std::size_t place = below(random, file.open.size());
  std::map<std::uint64_t, bool> writes;
  for (std::size_t i = 0; i < file.open.size(); ++i) {
    const Sector& sector = file.open[i];
    bool is_there = false;
    switch (pick) {
      case Pick::nothing:
      case Pick::everything: break;
      case Pick::some: is_there = chance(random, density); break;
      case Pick::first_part: is_there = i < place; break;
      case Pick::whole_writes:
        is_there = writes.try_emplace(sector.write, chance(random, 0.5)).first->second;
        break;
      case Pick::all_but_one: is_there = i != place; break;
      case Pick::only_one: is_there = i == place; break;
    }
    if (is_there) lay(bytes, sector.number, sector.bytes);
  }
  return bytes;
}

Image Disk::image(Pick pick, std::mt19937_64& random) const {
  std::size_t count = namings_.size();
  if (pick == Pick::nothing) count = namings_durable_;
  if (pick != Pick::nothing && pick != Pick::everything) {
    count = namings_durable_ + below(random, namings_.size() - namings_durable_ + 1);
  }
  Image image;
  for (const auto& [name, file] : names_after(count)) image[name] = content(files_[file], pick, random);
  return image;
}

Image Disk::cached() const {
  Image image;
  for (const auto& [name, file] : names_) image[name] = files_[file].cached;
  return image;
}

}  // namespace parley::power
