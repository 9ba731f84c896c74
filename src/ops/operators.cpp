#include "ops/operators.h"

namespace broadloom {
namespace {

constexpr const Operator* list[] = {
    &op::cast,           &op::cast_like, &op::center_crop_pad,  &op::concat,  &op::constant,  &op::constant_of_shape,
    &op::depth_to_space, &op::expand,    &op::eye_like,         &op::flatten, &op::identity,  &op::pad,
    &op::range,          &op::reshape,   &op::reverse_sequence, &op::shape,   &op::size,      &op::slice,
    &op::space_to_depth, &op::split,     &op::squeeze,          &op::tile,    &op::transpose, &op::trilu,
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
