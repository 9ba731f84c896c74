#include "ops/operators.h"

#include <algorithm>
#include <array>

#include "core/count.h"
#include "core/text.h"
#include "kernels/base/chosen.h"
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
};

constexpr Named microsoft_list[] = {
#define MICROSOFT(id, name) {name, &op::microsoft::id},
#include "ops/microsoft/operators.inc"
};

constexpr Named experiments_list[] = {
#define EXPERIMENTAL(id, name) {name, &op::experimental::id},
#include "ops/experimental/operators.inc"
};

#define NONE(...)

constexpr Named ruled_list[] = {
#define FOREIGN(id, name, since) {name, &op::ruled::id},
#define MICROSOFT NONE
#define LEARNING NONE
#define UNRULED NONE
#include "ops/foreign/operators.inc"
};

constexpr Named ruled_microsoft_list[] = {
#define FOREIGN NONE
#define MICROSOFT(id, name) {name, &op::ruled::microsoft::id},
#define LEARNING NONE
#define UNRULED NONE
#include "ops/foreign/operators.inc"
};

constexpr Named ruled_learning_list[] = {
#define FOREIGN NONE
#define MICROSOFT NONE
#define LEARNING(id, name) {name, &op::ruled::learning::id},
#define UNRULED NONE
#include "ops/foreign/operators.inc"
};

// The first versions of ONNX's operators that do not run.
struct Since {
  const char* name;
  std::uint8_t version;
};
constexpr Since first_versions[] = {
#define FOREIGN(id, name, since) {name, since},
#define MICROSOFT NONE
#define LEARNING NONE
#define UNRULED(name, since) {name, since},
#include "ops/foreign/operators.inc"
};

#undef NONE

static_assert(std::is_sorted(std::begin(onnx_list), std::end(onnx_list), comes_first));
static_assert(std::is_sorted(std::begin(microsoft_list), std::end(microsoft_list), comes_first));
static_assert(std::is_sorted(std::begin(experiments_list), std::end(experiments_list), comes_first));
static_assert(std::is_sorted(std::begin(ruled_list), std::end(ruled_list), comes_first));
static_assert(std::is_sorted(std::begin(ruled_microsoft_list), std::end(ruled_microsoft_list), comes_first));
static_assert(std::is_sorted(std::begin(ruled_learning_list), std::end(ruled_learning_list), comes_first));

constexpr std::string_view no_domain;
constexpr std::string_view microsoft_domain = "com.microsoft";

// The operators of a list for which a condition on their names holds.
template <const auto& list, auto is_there>
constexpr auto operators_of() {
  constexpr auto is_wanted = [](const Named& one) { return is_there(one.name); };
  std::array<const Operator*, in_memory(std::count_if(std::begin(list), std::end(list), is_wanted))> result{};
  std::size_t count = 0;
  for (const Named& one : list) {
    if (is_wanted(one)) result[count++] = one.op;
  }
  return result;
}

template <const std::string_view& domain>
constexpr bool is_chosen(std::string_view name) {
  return chosen::has_operator(domain, name);
}
constexpr auto running = operators_of<onnx_list, is_chosen<no_domain>>();
constexpr auto running_microsoft = operators_of<microsoft_list, is_chosen<microsoft_domain>>();
constexpr auto running_experiments = operators_of<experiments_list, is_chosen<no_domain>>();

// Rules are for operators that no list of running ones has.
constexpr std::array<Named, 0> none_runs{};
template <const auto& list>
constexpr bool is_ruled(std::string_view name) {
  return chosen::has_all_operators &&
         std::none_of(std::begin(list), std::end(list), [&](const Named& one) { return one.name == name; });
}
constexpr auto ruled = operators_of<ruled_list, is_ruled<onnx_list>>();
constexpr auto ruled_microsoft = operators_of<ruled_microsoft_list, is_ruled<microsoft_list>>();
constexpr auto ruled_learning = operators_of<ruled_learning_list, is_ruled<none_runs>>();

template <std::size_t... counts>
constexpr auto joined(const std::array<const Operator*, counts>&... lists) {
  std::array<const Operator*, (counts + ...)> result{};
  auto end = result.begin();
  ((end = std::copy(lists.begin(), lists.end(), end)), ...);
  return result;
}

using List = std::span<const Operator* const>;

const Operator* find(List list, std::string_view name) {
  const auto found = std::lower_bound(list.begin(), list.end(), name,
                                      [](const Operator* one, std::string_view wanted) { return one->name < wanted; });
  return found != list.end() && (*found)->name == name ? *found : nullptr;
}

// The first version of an operator that ONNX has and that does not run here; 0 for other names.
[[maybe_unused]] std::int32_t first_version(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(first_versions), std::end(first_versions), [&](const Since& one) { return one.name == name; });
  return found == std::end(first_versions) ? 0 : found->version;
}

}  // namespace

std::span<const Operator* const> all_operators() { return running; }

std::span<const Operator* const> microsoft_operators() { return running_microsoft; }

std::span<const Operator* const> foreign_operators() {
  static constexpr auto all = joined(ruled, ruled_microsoft, ruled_learning);
  return all;
}

const Operator* find_operator(std::string_view domain, std::string_view name) {
  if (domain == "ai.onnx.ml") return chosen::has_all_operators ? find(ruled_learning, name) : nullptr;
  const bool is_microsoft = domain == microsoft_domain;
  if (!is_microsoft && !is_default_domain(domain)) return nullptr;
  const Operator* op = find(is_microsoft ? List(running_microsoft) : List(running), name);
  if (op != nullptr) return op;
  // onnxruntime writes it into ONNX's domain.
  const Operator& simplified = op::microsoft::simplified_layer_normalization;
  if (name == simplified.name) return find(running_microsoft, name);
  if (!is_microsoft) op = find(running_experiments, name);
  if (op != nullptr || !chosen::has_all_operators) return op;
  return find(is_microsoft ? List(ruled_microsoft) : List(ruled), name);
}

Error no_operator(std::string_view domain, std::string_view name) {
  const Error error = make_error(Code::UnknownOperator, "no operator {}", quoted(name));
  const bool is_microsoft = domain == microsoft_domain;
  if (!chosen::has_all_operators && (is_microsoft || is_default_domain(domain))) {
    error->message.append(
        " in this module, which was built for others: npm run build -- --for {}{} ... adds it if Broadloom runs it",
        is_microsoft ? "com.microsoft." : "", clipped(name));
  } else if (!is_default_domain(domain)) {
    error->message.append(" in domain {}", quoted(domain));
    if (domain.starts_with("com.ms.internal.")) {
      error->message.append(": onnxruntime optimised this file for one machine, use the original file");
    } else if (find_operator(domain, name) != nullptr) {
      error->message.append(": onnxruntime-web may run it");
    }
  } else if constexpr (chosen::has_all_operators) {  // elsewhere the names would make the module larger
    const std::int32_t since = first_version(name);
    if (since != 0) error->message.append(" yet: ONNX has it since opset {}, and onnxruntime-web may run it", since);
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
