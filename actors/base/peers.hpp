#pragma once
/// The handles that the actors of runs and results are given, and the figures that they count. Any thread for the figures.

#include <atomic>

#include "actors/base/handles.hpp"

namespace parley::actors {

/// Figures of the directory that other threads may read.
struct DirectoryFigures {
  std::atomic<std::uint64_t> live{0};
  std::atomic<std::uint64_t> late_dropped{0};  ///< counted by the results' actors (F24)
};

/// The peers of an actor.
struct Peers {
  Writer writer;
  Directory directory;
  Scoring scoring;
  Dispatcher dispatcher;
  ClaimChecks tracing;
  DirectoryFigures* figures = nullptr;
};

}  // namespace parley::actors
