#include "ops/operators.h"

#include <algorithm>

#include "core/text.h"

namespace broadloom {
namespace {

constexpr const Operator* running[] = {
#define OPERATOR(id, name) &op::id,
#include "ops/operators.inc"
#undef OPERATOR
};

constexpr const Operator* running_microsoft[] = {
#define MICROSOFT(id, name) &op::microsoft::id,
#include "ops/microsoft/operators.inc"
#undef MICROSOFT
};

constexpr const Operator* running_experiments[] = {
#define EXPERIMENTAL(id, name) &op::experimental::id,
#include "ops/experimental/operators.inc"
#undef EXPERIMENTAL
};

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

constexpr std::string_view experiment_names[] = {
#define EXPERIMENTAL NAME
#include "ops/experimental/operators.inc"
#undef EXPERIMENTAL
};

constexpr std::string_view running_microsoft_names[] = {
#define MICROSOFT NAME
#include "ops/microsoft/operators.inc"
#undef MICROSOFT
};

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
static_assert(std::is_sorted(std::begin(experiment_names), std::end(experiment_names)));
static_assert(std::is_sorted(std::begin(running_microsoft_names), std::end(running_microsoft_names)));

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

std::span<const Operator* const> foreign_operators() { return foreign_list; }

const Operator* find_operator(std::string_view domain, std::string_view name) {
  if (domain == "ai.onnx.ml") return find(foreign_learning, name);
  const bool is_microsoft = domain == "com.microsoft";
  if (!is_microsoft && !is_default_domain(domain)) return nullptr;
  const Operator* op = find(is_microsoft ? List(running_microsoft) : List(running), name);
  if (op != nullptr) return op;
  // onnxruntime writes it into ONNX's domain.
  const Operator& simplified = op::microsoft::simplified_layer_normalization;
  if (name == simplified.name) return &simplified;
  if (is_microsoft) return find(foreign_microsoft, name);
  op = find(running_experiments, name);
  return op != nullptr ? op : find(foreign_onnx, name);
}

Error no_operator(std::string_view domain, std::string_view name) {
  const Error error = make_error(Code::UnknownOperator, "no operator {}", quoted(name));
  if (!is_default_domain(domain)) {
    error->message.append(" in domain {}", quoted(domain));
    if (domain.starts_with("com.ms.internal.")) {
      error->message.append(": onnxruntime optimised this file for one machine, use the original file");
    } else if (find_operator(domain, name) != nullptr) {
      error->message.append(": onnxruntime-web runs it");
    }
  } else if (const std::int32_t since = first_version(name); since != 0) {
    error->message.append(" yet: ONNX has it since opset {}, and onnxruntime-web runs it", since);
  }
  return error;
}

}  // namespace broadloom
