#include "ops/operators.h"

#include <algorithm>

namespace broadloom {
namespace {

constexpr const Operator* list[] = {
#define OPERATOR(id, name) &op::id,
#include "ops/operators.inc"
#undef OPERATOR
};

}  // namespace

std::span<const Operator* const> all_operators() { return list; }

const Operator* find_operator(std::string_view name) {
  const auto* const found = std::lower_bound(std::begin(list), std::end(list), name,
                                             [](const Operator* one, std::string_view wanted) { return one->name < wanted; });
  return found != std::end(list) && (*found)->name == name ? *found : nullptr;
}

}  // namespace broadloom
