// The loops and the folds that code above the kernels asks for by name. Operators name theirs in their rows: a module of chosen
// operators has those of its operators alone (tools/build/build-for.mjs), and debug builds check that no others are asked for.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"
#include "kernels/elementwise/loops.h"

// Rows are there for tools and tests: in wasm they take no byte.
#ifndef __EMSCRIPTEN__
#define BROADLOOM_HAS_USES
#ifndef NDEBUG
#define BROADLOOM_CHECKS_USES
#endif
#endif

namespace broadloom {

// A set of loops and folds, in the types of the operands, in float32, int64 and bool, and in types of its own.
class Kernels {
 public:
  constexpr Kernels() = default;

#ifdef BROADLOOM_HAS_USES
  constexpr bool has_loop(Operation operation) const { return ((loops_ >> static_cast<unsigned>(operation)) & 1U) != 0; }
  constexpr bool has_fold(Operation operation) const { return ((folds_ >> static_cast<unsigned>(operation)) & 1U) != 0; }
  constexpr TypeSet types() const { return types_; }
  // Bit n is the Operation with number n.
  constexpr std::uint64_t loops_as_bits() const { return loops_; }
  constexpr std::uint64_t folds_as_bits() const { return folds_; }
#endif

  friend constexpr Kernels operator|([[maybe_unused]] Kernels a, [[maybe_unused]] const Kernels& b) {
#ifdef BROADLOOM_HAS_USES
    a.loops_ |= b.loops_;
    a.folds_ |= b.folds_;
    a.types_ = a.types_ | b.types_;
#endif
    return a;
  }

  template <class... Operations>
  friend constexpr Kernels loops(Operations... operations);
  template <class... Operations>
  friend constexpr Kernels folds(Operations... operations);
  friend constexpr Kernels computed_in(TypeSet types);

 private:
#ifdef BROADLOOM_HAS_USES
  static constexpr std::uint64_t bit(Operation operation) { return std::uint64_t{1} << static_cast<unsigned>(operation); }
  static_assert(static_cast<unsigned>(Operation::normal_distribution) < 64);

  std::uint64_t loops_ = 0;
  std::uint64_t folds_ = 0;
  TypeSet types_;
#endif
};

// Loops over elements (computation_of).
template <class... Operations>
constexpr Kernels loops([[maybe_unused]] Operations... operations) {
  Kernels result;
#ifdef BROADLOOM_HAS_USES
  result.loops_ = (Kernels::bit(operations) | ...);
#endif
  return result;
}
// Reductions of many elements to one (fold_of, integer_row_of).
template <class... Operations>
constexpr Kernels folds([[maybe_unused]] Operations... operations) {
  Kernels result;
#ifdef BROADLOOM_HAS_USES
  result.folds_ = (Kernels::bit(operations) | ...);
#endif
  return result;
}
// Types that the code chooses itself: operands may have others.
constexpr Kernels computed_in([[maybe_unused]] TypeSet types) {
  Kernels result;
#ifdef BROADLOOM_HAS_USES
  result.types_ = types;
#endif
  return result;
}

#ifdef BROADLOOM_CHECKS_USES

// The code that asks for kernels, with what it may ask for.
struct Asker {
  std::string_view name;
  Kernels kernels;
  TypeSet types;  // of the operands
};
inline thread_local const Asker* asker = nullptr;

// End the program with a message if the asker does not name the loop or the fold. The type is the one of the computation.
void check_loop(Operation operation, Dtype dtype);
void check_fold(Operation operation, Dtype dtype);

#else

inline void check_loop(Operation /*operation*/, Dtype /*dtype*/) {}
inline void check_fold(Operation /*operation*/, Dtype /*dtype*/) {}

#endif

}  // namespace broadloom
