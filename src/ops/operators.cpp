#include "ops/operators.h"

#include <algorithm>
#include <array>

#include "core/count.h"
#include "core/text.h"
#include "kernels/chosen.h"
#include "ops/chosen.h"
#include "ops/operator_lists.h"

namespace broadloom {

namespace {

struct Named {
  std::string_view name;
  const Operator* op;
};

constexpr bool comes_first(const Named& a, const Named& b) { return a.name < b.name; }

constexpr Named onnx_list[] = {
#define OPERATOR(id, name) {name, &op::id},
#include "ops/operators.inc"
#undef OPERATOR
};

constexpr Named microsoft_list[] = {
#define MICROSOFT(id, name) {name, &op::microsoft::id},
#include "ops/microsoft/operators.inc"
#undef MICROSOFT
};

constexpr Named experiments_list[] = {
#define EXPERIMENTAL(id, name) {name, &op::experimental::id},
#include "ops/experimental/operators.inc"
#undef EXPERIMENTAL
};

constexpr std::string_view no_domain;
constexpr std::string_view microsoft_domain = "com.microsoft";

template <const auto& list, const std::string_view& domain>
constexpr auto operators_of_module() {
  constexpr auto is_chosen = [](const Named& one) { return chosen::has_operator(domain, one.name); };
  std::array<const Operator*, in_memory(std::count_if(std::begin(list), std::end(list), is_chosen))> result{};
  std::size_t count = 0;
  for (const Named& one : list) {
    if (is_chosen(one)) result[count++] = one.op;
  }
  return result;
}

constexpr auto running = operators_of_module<onnx_list, no_domain>();
constexpr auto running_microsoft = operators_of_module<microsoft_list, microsoft_domain>();
constexpr auto running_experiments = operators_of_module<experiments_list, no_domain>();

constexpr const Operator* foreign_list[] = {
#define FOREIGN(id, name, since) &op::id,
#define MICROSOFT(id, name) &op::microsoft::id,
#define LEARNING(id, name) &op::learning::id,
#define UNRULED(name, since)
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
};

#define NAME(id, name, ...) name,
#define NONE(...)

constexpr std::string_view onnx_names[] = {
#define FOREIGN NAME
#define MICROSOFT NONE
#define LEARNING NONE
#define UNRULED NONE
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
};

constexpr std::string_view microsoft_names[] = {
#define FOREIGN NONE
#define MICROSOFT NAME
#define LEARNING NONE
#define UNRULED NONE
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
};

#undef NAME

// The first versions of ONNX's operators: of those with rules in their order, then of the others.
constexpr std::uint8_t first_versions[] = {
#define FOREIGN(id, name, since) since,
#define MICROSOFT NONE
#define LEARNING NONE
#define UNRULED(name, since) since,
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
};

constexpr const char* unruled_names[] = {
#define FOREIGN NONE
#define MICROSOFT NONE
#define LEARNING NONE
#define UNRULED(name, since) name,
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
};

#undef NONE

static_assert(std::is_sorted(std::begin(onnx_names), std::end(onnx_names)));
static_assert(std::is_sorted(std::begin(microsoft_names), std::end(microsoft_names)));
static_assert(std::is_sorted(std::begin(onnx_list), std::end(onnx_list), comes_first));
static_assert(std::is_sorted(std::begin(microsoft_list), std::end(microsoft_list), comes_first));
static_assert(std::is_sorted(std::begin(experiments_list), std::end(experiments_list), comes_first));

using List = std::span<const Operator* const>;

constexpr List foreign_onnx = List(foreign_list).first(std::size(onnx_names));
constexpr List foreign_microsoft = List(foreign_list).subspan(std::size(onnx_names), std::size(microsoft_names));
constexpr List foreign_learning = List(foreign_list).subspan(std::size(onnx_names) + std::size(microsoft_names));

const Operator* find(List list, std::string_view name) {
  const auto found = std::lower_bound(list.begin(), list.end(), name,
                                      [](const Operator* one, std::string_view wanted) { return one->name < wanted; });
  return found != list.end() && (*found)->name == name ? *found : nullptr;
}

// The first version of an operator that ONNX has and that does not run here; 0 for other names.
std::int32_t first_version(std::string_view name) {
  std::size_t i = 0;
  while (i < std::size(onnx_names) && foreign_list[i]->name != name) ++i;
  while (i >= std::size(onnx_names) && i < std::size(first_versions) && unruled_names[i - std::size(onnx_names)] != name) ++i;
  return i < std::size(first_versions) ? first_versions[i] : 0;
}

}  // namespace

std::span<const Operator* const> all_operators() { return running; }

std::span<const Operator* const> microsoft_operators() { return running_microsoft; }

std::span<const Operator* const> foreign_operators() { return chosen::has_all_operators ? List(foreign_list) : List(); }

const Operator* find_operator(std::string_view domain, std::string_view name) {
  if (domain == "ai.onnx.ml") return chosen::has_all_operators ? find(foreign_learning, name) : nullptr;
  const bool is_microsoft = domain == microsoft_domain;
  if (!is_microsoft && !is_default_domain(domain)) return nullptr;
  const Operator* op = find(is_microsoft ? List(running_microsoft) : List(running), name);
  if (op != nullptr) return op;
  // onnxruntime writes it into ONNX's domain.
  const Operator& simplified = op::microsoft::simplified_layer_normalization;
  if (name == simplified.name) return find(running_microsoft, name);
  if (!is_microsoft) op = find(running_experiments, name);
  if (op != nullptr || !chosen::has_all_operators) return op;
  return find(is_microsoft ? foreign_microsoft : foreign_onnx, name);
}

Error no_operator(std::string_view domain, std::string_view name) {
  const Error error = make_error(Code::UnknownOperator, "no operator {}", quoted(name));
  [[maybe_unused]] const bool is_microsoft = domain == microsoft_domain;
  if constexpr (!chosen::has_all_operators) {
    // The names of all operators would make the module larger.
    if (is_microsoft || is_default_domain(domain)) {
      error->message.append(
          " in this module, which was built for others: npm run build -- --for {}{} ... adds it if Broadloom runs it",
          is_microsoft ? "com.microsoft." : "", clipped(name));
      return error;
    }
  }
  if (!is_default_domain(domain)) {
    error->message.append(" in domain {}", quoted(domain));
    if (domain.starts_with("com.ms.internal.")) {
      error->message.append(": onnxruntime optimised this file for one machine, use the original file");
    } else if (find_operator(domain, name) != nullptr) {
      error->message.append(": onnxruntime-web may run it");
    }
  } else if (const std::int32_t since = first_version(name); since != 0) {
    error->message.append(" yet: ONNX has it since opset {}, and onnxruntime-web may run it", since);
  }
  return error;
}

Status check_types_of_module(std::span<const ElementType> types) {
  if constexpr (chosen::has_all_types) return {};
  for (const ElementType type : types) {
    if (type.is_absent() || !type.is_known() || chosen::has_type(type.dtype())) continue;
    return fail(Code::UnsupportedType,
                "no type {} in this module, which was built for others: npm run build -- --for ... --types {} adds it",
                type.dtype(), type.dtype());
  }
  return {};
}

}  // namespace broadloom
