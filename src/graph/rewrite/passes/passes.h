// The passes that simplify graphs, by name. passes.inc is the one list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/count.h"

namespace broadloom {

// Kinds of changes, as reports list them.
enum class PassKind : std::uint8_t {
  fold,      // nodes that were computed
  shape,     // operands that became constants, since all that matters of them is known
  no_op,     // nodes that gave what they got
  merge,     // nodes that were joined with the one before
  repeated,  // nodes and constants that were there already
  branch,    // Ifs that were decided
  unroll,    // Loops that were written out
  call,      // calls of functions
  dead,      // nodes that nobody reads
  constant,  // Constant nodes that became initializers
  unused,    // initializers that nobody reads
  fuse,      // where bits of results change
};

// How runs afterwards end as they ended before.
enum class Keeps : std::uint8_t {
  values,  // results are equal up to rounding
  bits,    // results have the same bits, except those of NaNs; a run that failed may succeed
  all,     // results have the same bits, and a run that failed fails
};

// Where a pass makes sense.
enum class PassUse : std::uint8_t {
  always,
  files,  // in a model that is written: a run is not faster for it
  runs,   // in a copy that a run's plans are made of: a file would have more nodes, or others
};

enum class Pass : std::uint8_t {
#define PASS(name, ...) name,
#define NODE_PASS PASS
#include "graph/rewrite/passes/passes.inc"
  how_many
};

inline constexpr std::size_t pass_count = place_of(Pass::how_many);

struct PassInfo {
  std::string_view name;
  PassKind kind;
  Keeps keeps;
  PassUse use;
};

inline constexpr std::array<PassInfo, pass_count> passes{{
#define PASS(name, kind, keeps, use, ...) {#name, PassKind::kind, Keeps::keeps, PassUse::use},
#define NODE_PASS PASS
#include "graph/rewrite/passes/passes.inc"
}};

constexpr const PassInfo& info(Pass pass) { return passes[place_of(pass)]; }

// The word for a kind in reports.
std::string_view name_of(PassKind kind);

std::optional<Pass> find_pass(std::string_view name);
// The pass whose name differs from this one by a typing mistake: in at most a quarter of its letters.
std::optional<Pass> near_pass(std::string_view name);

}  // namespace broadloom
