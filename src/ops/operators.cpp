#include "ops/operators.h"

namespace broadloom {
namespace {

<<<<<<< HEAD
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
=======
constexpr const Operator* list[] = {
    &op::cast,           &op::cast_like, &op::center_crop_pad,  &op::concat,  &op::constant,  &op::constant_of_shape,
    &op::depth_to_space, &op::expand,    &op::eye_like,         &op::flatten, &op::identity,  &op::pad,
    &op::range,          &op::reshape,   &op::reverse_sequence, &op::shape,   &op::size,      &op::slice,
    &op::space_to_depth, &op::split,     &op::squeeze,          &op::tile,    &op::transpose, &op::trilu,
    &op::unsqueeze};
>>>>>>> m/o-shape

}  // namespace

std::span<const Operator* const> all_operators() { return list; }

const Operator* find_operator(std::string_view name) {
  for (const Operator* one : list) {
    if (one->name == name) return one;
  }
  return nullptr;
}

}  // namespace broadloom
