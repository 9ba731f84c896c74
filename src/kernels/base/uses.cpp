#include "kernels/base/uses.h"

#ifdef BROADLOOM_CHECKS_USES

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/count.h"

namespace broadloom {
namespace {

// The types of sizes, conditions and scores, which every module has. Bools are computed as uint8.
constexpr TypeSet always_there = Dtype::float32 | Dtype::int64 | Dtype::boolean | Dtype::uint8;

// Small integers are computed in int32.
constexpr TypeSet with_wider(TypeSet types) {
  for (const Dtype small : {Dtype::int8, Dtype::uint8, Dtype::int16, Dtype::uint16, Dtype::boolean}) {
    if (types.contains(small)) return types | Dtype::int32;
  }
  return types;
}

// The name of an operation: the compiler writes it into the name of a function.
template <Operation operation>
std::string_view name() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::string_view before = "operation = broadloom::Operation::";
  const std::string_view from = text.substr(text.find(before) + before.size());
  return from.substr(0, from.find_first_of(";]"));
}
template <std::size_t... number>
std::string_view name_of(Operation operation, std::index_sequence<number...>) {
  std::string_view found;
  (static_cast<void>(number == place_of(operation) && (found = name<static_cast<Operation>(number)>(), true)), ...);
  return found;
}
constexpr std::size_t operations = place_of(Operation::normal_distribution) + 1;

void check(bool is_named, const char* kind, Operation operation, Dtype dtype) {
  if (is_named && (with_wider(asker->types) | asker->kernels.types() | always_there).contains(dtype)) return;
  const std::string_view name = name_of(operation, std::make_index_sequence<operations>());
  std::fprintf(stderr, "%.*s asks for the %s '%.*s' in %s, which its row does not name\n", static_cast<int>(asker->name.size()),
               asker->name.data(), kind, static_cast<int>(name.size()), name.data(), info(dtype).name.data());
  std::abort();
}

}  // namespace

void check_loop(Operation operation, Dtype dtype) {
  if (asker != nullptr) check(asker->kernels.has_loop(operation), "loop", operation, dtype);
}

void check_fold(Operation operation, Dtype dtype) {
  if (asker != nullptr) check(asker->kernels.has_fold(operation), "fold", operation, dtype);
}

}  // namespace broadloom

#endif
