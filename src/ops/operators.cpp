#include "ops/operators.h"

#include <algorithm>

namespace broadloom {
namespace {

constexpr const Operator* running[] = {
#define OPERATOR(id, name) &op::id,
#include "ops/operators.inc"
#undef OPERATOR
};

constexpr const Operator* foreign_list[] = {
#define FOREIGN(id, name) &op::id,
#define MICROSOFT(id, name) &op::microsoft::id,
#define LEARNING(id, name) &op::learning::id,
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
};

#define NAME(id, name) name,
#define NONE(id, name)

constexpr std::string_view onnx_names[] = {
#define FOREIGN NAME
#define MICROSOFT NONE
#define LEARNING NONE
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
};

constexpr std::string_view microsoft_names[] = {
#define FOREIGN NONE
#define MICROSOFT NAME
#define LEARNING NONE
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
};

#undef NAME
#undef NONE

static_assert(std::is_sorted(std::begin(onnx_names), std::end(onnx_names)));
static_assert(std::is_sorted(std::begin(microsoft_names), std::end(microsoft_names)));

using List = std::span<const Operator* const>;

constexpr List foreign_onnx = List(foreign_list).first(std::size(onnx_names));
constexpr List foreign_microsoft = List(foreign_list).subspan(std::size(onnx_names), std::size(microsoft_names));
constexpr List foreign_learning = List(foreign_list).subspan(std::size(onnx_names) + std::size(microsoft_names));

const Operator* find(List list, std::string_view name) {
  const auto found = std::lower_bound(list.begin(), list.end(), name,
                                      [](const Operator* one, std::string_view wanted) { return one->name < wanted; });
  return found != list.end() && (*found)->name == name ? *found : nullptr;
}

}  // namespace

std::span<const Operator* const> all_operators() { return running; }

std::span<const Operator* const> foreign_operators() { return foreign_list; }

const Operator* find_operator(std::string_view domain, std::string_view name) {
  if (domain == "com.microsoft") return find(foreign_microsoft, name);
  if (domain == "ai.onnx.ml") return find(foreign_learning, name);
  if (!is_default_domain(domain)) return nullptr;
  const Operator* op = find(running, name);
  return op != nullptr ? op : find(foreign_onnx, name);
}

}  // namespace broadloom
