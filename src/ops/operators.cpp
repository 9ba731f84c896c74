#include "ops/operators.h"

namespace broadloom {
namespace {

constexpr const Operator* list[] = {&op::cast,     &op::cast_like, &op::concat,   &op::constant, &op::constant_of_shape,
                                    &op::expand,   &op::flatten,   &op::identity, &op::reshape,  &op::shape,
                                    &op::size,     &op::slice,     &op::split,    &op::squeeze,  &op::transpose,
                                    &op::unsqueeze};

}  // namespace

std::span<const Operator* const> all_operators() { return list; }

const Operator* find_operator(std::string_view name) {
  for (const Operator* one : list) {
    if (one->name == name) return one;
  }
  return nullptr;
}

}  // namespace broadloom
