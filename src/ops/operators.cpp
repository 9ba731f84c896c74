#include "ops/operators.h"

namespace broadloom {
namespace {

constexpr const Operator* list[] = {&op::abs,
                                    &op::add,
                                    &op::logical_and,
                                    &op::ceil,
                                    &op::concat,
                                    &op::constant,
                                    &op::constant_of_shape,
                                    &op::div,
                                    &op::equal,
                                    &op::expand,
                                    &op::flatten,
                                    &op::floor,
                                    &op::greater,
                                    &op::greater_or_equal,
                                    &op::identity,
                                    &op::less,
                                    &op::less_or_equal,
                                    &op::max,
                                    &op::mean,
                                    &op::min,
                                    &op::mod,
                                    &op::mul,
                                    &op::neg,
                                    &op::logical_not,
                                    &op::logical_or,
                                    &op::reduce_max,
                                    &op::reduce_min,
                                    &op::reduce_prod,
                                    &op::reduce_sum,
                                    &op::reshape,
                                    &op::shape,
                                    &op::size,
                                    &op::slice,
                                    &op::split,
                                    &op::sqrt,
                                    &op::squeeze,
                                    &op::sub,
                                    &op::sum,
                                    &op::transpose,
                                    &op::unsqueeze,
                                    &op::logical_xor};

}  // namespace

std::span<const Operator* const> all_operators() { return list; }

const Operator* find_operator(std::string_view name) {
  for (const Operator* one : list) {
    if (one->name == name) return one;
  }
  return nullptr;
}

}  // namespace broadloom
