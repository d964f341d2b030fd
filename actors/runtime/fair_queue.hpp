#pragma once
/// FairQueue: what waits for a thread, in turn by owner, so that whoever sends the most waits the longest and nobody else does.
/// Of one owner the pieces keep their order. Bounded in pieces and bytes, for each owner and for all.
/// Plain state of the background actor, used on its thread only.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

#include "model/id.hpp"

namespace parley::actors {

/// The bounds of all stop only owners who have more than a reserve waiting, or others could fill them and keep somebody out for as
/// long as they like. So the queue holds the bounds of all and, for each owner, a reserve or one piece of any size: owners are
/// users, whom an admin makes, and all bodies together have a budget of their own. (To drop the newest piece of whoever has the
/// most would keep to the bounds strictly, but take back what was let in.)
struct QueueBounds {
  std::size_t pieces = SIZE_MAX;
  std::size_t pieces_of_owner = SIZE_MAX;
  std::size_t bytes = SIZE_MAX;
  std::size_t bytes_of_owner = SIZE_MAX;
  /// Up to these an owner has room whatever others have.
  std::size_t pieces_reserved = 0;
  std::size_t bytes_reserved = 0;
};

template <class Piece>
class FairQueue {
 public:
  explicit FairQueue(const QueueBounds& bounds) : bounds_(bounds) {}

  [[nodiscard]] bool is_empty() const { return turns_.empty(); }
  /// Always for an owner of whom nothing waits, however large the piece is.
  [[nodiscard]] bool has_room(const Id& owner, std::size_t bytes) const {
    const auto found = owners_.find(owner);
    if (found == owners_.end()) return true;
    const std::size_t pieces = found->second.pieces.size();
    const std::size_t held = found->second.bytes;
    if (pieces >= bounds_.pieces_of_owner || is_beyond(held, bytes, bounds_.bytes_of_owner)) return false;
    if (pieces < bounds_.pieces_reserved && !is_beyond(held, bytes, bounds_.bytes_reserved)) return true;
    return size_ < bounds_.pieces && !is_beyond(bytes_, bytes, bounds_.bytes);
  }
  void put(const Id& owner, std::size_t bytes, Piece piece) {
    Line& line = owners_[owner];
    if (line.pieces.empty()) turns_.push_back(owner);
    line.pieces.push_back({bytes, std::move(piece)});
    line.bytes += bytes;
    bytes_ += bytes;
    ++size_;
  }
  /// The first piece of the owner whose turn it is. Needs: not empty.
  [[nodiscard]] Piece take() {
    const auto found = owners_.find(turns_.front());
    turns_.pop_front();
    Line& line = found->second;
    auto [bytes, piece] = std::move(line.pieces.front());
    line.pieces.pop_front();
    line.bytes -= bytes;
    bytes_ -= bytes;
    --size_;
    if (line.pieces.empty()) {
      owners_.erase(found);
    } else {
      turns_.push_back(found->first);
    }
    return std::move(piece);
  }

 private:
  static bool is_beyond(std::size_t waiting, std::size_t more, std::size_t bound) {
    return waiting > bound || more > bound - waiting;
  }

  struct Line {
    std::deque<std::pair<std::size_t, Piece>> pieces;
    std::size_t bytes = 0;
  };
  QueueBounds bounds_;
  std::map<Id, Line> owners_;  ///< that have something waiting
  std::deque<Id> turns_;       ///< each of them once
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace parley::actors
