// The options of simplifying, and its state from round to round.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "core/count.h"
#include "graph/rewrite/passes/passes.h"

namespace broadloom {

struct ExternalData;

struct SimplifyOptions {
  std::int64_t most_iterations = 0;  // of a Loop that is to be unrolled
  Keeps keeps = Keeps::bits;         // what a pass has to keep
  bool trusts_names = false;         // whether sizes of equal names are equal
  bool gets_external = false;        // what is in files beside the model can be asked for
  bool grows = false;        // whether results are written that make the file larger, though nothing more is computed of them
  bool is_for_runs = false;  // whether a model will be run and not written: more nodes do not matter
  std::bitset<pass_count> skipped;
  // After so many changes the rest stays as it is: the least number whose result is wrong tells the change that is.
  std::int64_t most_steps = INT64_MAX;
};

// Elements that were left in a file.
struct WantedElements {
  const ExternalData* external = nullptr;
  std::int64_t bytes = 0;
};

inline constexpr std::int64_t most_wanted = std::int64_t{32} << 20;

struct SimplifyProgress {
  std::array<std::int64_t, pass_count> counts{};
  // Changes so far, but those that only drop what nobody reads.
  std::int64_t steps = 0;
  // Bytes by which what is added may still make the file grow.
  std::int64_t growth_left = 0;
  // Bytes by which results that no other node makes smaller may still exceed their operands.
  std::int64_t unasked_left = 4064;
  // Elements that may still be read and written for constants.
  double work_left = 0;
  // Elements that Loops and Scans may still read and write: they may not end, and leave the rest to other nodes.
  double loop_work_left = 1 << 25;
  // Elements in files that a computation of the next round wants: at most most_wanted bytes, or those of one node.
  std::vector<WantedElements> wanted;
  // Nodes that would be computed, were the limits higher.
  std::int64_t too_large = 0;

  void count(Pass pass, std::int64_t times = 1) { counts[place_of(pass)] += times; }
};

}  // namespace broadloom
