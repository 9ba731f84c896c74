#include "ops/operators.h"

namespace broadloom {
namespace {

constexpr const Operator* list[] = {&op::compress,
                                    &op::concat,
                                    &op::constant,
                                    &op::constant_of_shape,
                                    &op::expand,
                                    &op::flatten,
                                    &op::gather,
                                    &op::gather_elements,
                                    &op::gather_nd,
                                    &op::identity,
                                    &op::non_zero,
                                    &op::one_hot,
                                    &op::reshape,
                                    &op::scatter,
                                    &op::scatter_elements,
                                    &op::scatter_nd,
                                    &op::shape,
                                    &op::size,
                                    &op::slice,
                                    &op::split,
                                    &op::squeeze,
                                    &op::top_k,
                                    &op::transpose,
                                    &op::unique,
                                    &op::unsqueeze,
                                    &op::where};

}  // namespace

std::span<const Operator* const> all_operators() { return list; }

const Operator* find_operator(std::string_view name) {
  for (const Operator* one : list) {
    if (one->name == name) return one;
  }
  return nullptr;
}

}  // namespace broadloom
