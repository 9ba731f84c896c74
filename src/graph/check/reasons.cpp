#include "graph/check/reasons.h"

#include <algorithm>
#include <array>

#include "core/count.h"
#include "core/memory.h"
#include "graph/structure/control_flow.h"
#include "graph/structure/name_index.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

bool is_same(const Cause& a, const Cause& b) {
  if (a.kind != b.kind) return false;
  // Equal names are the same size everywhere.
  if (a.kind == Cause::Kind::size && !a.name.empty()) return a.name == b.name;
  return a.value == b.value && a.axis == b.axis;
}

// Whether only a run determines the sizes of the node's outputs, even if its inputs' sizes are known.
bool tells_when_run(const Node& node) { return node.op == nullptr || node.op->traits.depends_on_data; }

class Finder {
 public:
  Finder(const Model& model, const ShapeInference& inference)
      : model_(model),
        inference_(inference),
        visited_(model.frame_size),
        list_of_(model.frame_size),
        unranked_(model.frame_size) {}

  Status run(std::span<const std::string_view> names) {
    names_ = names;
    BROADLOOM_CHECK(require_memory(names.size(), sizeof(Cause)));
    named_.resize(names.size());
    for (const GraphInput& input : model_.graph->inputs) {
      std::int64_t axis = -1;
      for (const Dimension& dim : input.info.dims) {
        ++axis;
        if (dim.value >= 0 || dim.symbol < 0) continue;
        Cause& cause = named_[in_memory(dim.symbol)];
        if (cause.value == nullptr) cause = {Cause::Kind::size, input.value, axis, {}};
      }
    }
    BROADLOOM_CHECK(walk(*model_.graph));
    return {};
  }

  Reasons reasons;

 private:
  const Tensor& at(const Value& value) const { return inference_[value]; }

  Status walk(const Graph& graph) {
    for (const Node* node : graph.order) {
      BROADLOOM_CHECK(require_memory(reasons.sizes.size() + found_.size() + 4, 4 * sizeof(DynamicSize)));
      if (!node->is_constant) add(*node);
      if (node->op != nullptr && node->op->traits.has_graphs) add_graph(*node);
      for (const Subgraph& subgraph : node->graphs) BROADLOOM_CHECK(walk(*subgraph.graph));
    }
    return {};
  }

  // Adds the causes of the node's unknown outputs.
  void add(const Node& node) {
    found_.clear();
    bool is_of_shapes = !node.outputs.empty() && node.graphs.empty();
    for (const Value* output : node.outputs) {
      if (output == nullptr) continue;
      add_sizes(node, *output);
      is_of_shapes = is_of_shapes && output->dtype == Dtype::int64 && at(*output).is_ranked() && at(*output).dims().size() < 2;
    }
    // Nodes that compute with shapes depend on the sizes in them.
    if (is_of_shapes && (node.op == &op::shape || node.op == &op::size) && !node.inputs.empty() && node.inputs[0] != nullptr) {
      add_sizes(node, *node.inputs[0]);
    } else if (is_of_shapes && node.outputs[0] != nullptr && at(*node.outputs[0]).has_elements() &&
               is_dense(at(*node.outputs[0]))) {
      const Tensor& tensor = at(*node.outputs[0]);
      for (const Size size : size_elements(tensor)) add_parts(size);
    }
    for (const Cause& cause : found_) {
      const std::size_t place = place_of(cause);
      if (place == reasons.sizes.size()) reasons.sizes.push_back({cause});
      DynamicSize& size = reasons.sizes[place];
      ++size.nodes;
      if (is_of_shapes) ++size.shape_nodes;
    }
  }

  void add_sizes(const Node& node, const Value& value) {
    const Tensor& tensor = at(value);
    if (tensor.is_ranked()) {
      for (const Size size : tensor.dims()) add_parts(size);
      return;
    }
    // The rank is unknown because of an input, or of the first value before it without a rank.
    const Value* source = &value;
    for (const Value* input : node.inputs) {
      if (&value == input || input == nullptr || at(*input).is_ranked()) continue;
      source = unranked_[input->place] != nullptr ? unranked_[input->place] : input;
      break;
    }
    unranked_[value.place] = source;
    add({source->input != nullptr && source->graph->owner == nullptr ? Cause::Kind::rank : Cause::Kind::made, source, -1, {}});
  }

  void add_parts(Size size, std::size_t depth = 0) {
    const Expressions& expressions = inference_.expressions();
    for (const std::uint32_t number : expressions.parts_of(size)) {
      const Expressions::Part part = expressions.part(number);
      const ShapeInference::Origin origin = part.name ? ShapeInference::Origin() : inference_.origin(number);
      if (part.name) add(named(*part.name));
      if (origin.value != nullptr) add_origin(*origin.value, origin.axis, depth);
    }
  }

  // The first axis of an input with this name.
  Cause named(std::uint32_t number) const {
    Cause cause = named_[number];
    cause.name = names_[number];
    return cause;
  }

  // The index of a cause in reasons.sizes. Equal causes have the same index. A new cause has the next one.
  std::size_t place_of(const Cause& cause) {
    // Equal names have the same text.
    const bool is_named = cause.kind == Cause::Kind::size && !cause.name.empty();
    const void* owner = is_named ? static_cast<const void*>(cause.name.data()) : cause.value;
    const std::array<std::uint64_t, 3> key{static_cast<std::uint64_t>(cause.kind), reinterpret_cast<std::uintptr_t>(owner),
                                           static_cast<std::uint64_t>(is_named ? -1 : cause.axis)};
    return places_.find_or_add({reinterpret_cast<const char*>(key.data()), sizeof key}, arena_).number;
  }

  // Adds the causes of a size whose origin is this axis of a value: an input's axis, or an operator. If the operator computes
  // it from elements of an input or from sizes of other values, these are the causes. They are searched once.
  void add_origin(const Value& value, std::size_t axis, std::size_t depth) {
    constexpr std::size_t most_depth = 8;
    if (value.input != nullptr && value.graph->owner == nullptr) {
      return add({Cause::Kind::size, &value, static_cast<std::int64_t>(axis), {}});
    }
    const Node* node = value.producer;
    const bool follows = node != nullptr && depth < most_depth && !tells_when_run(*node);
    if (follows && list_of_[value.place] == 0) {
      lists_.emplace_back();
      list_of_[value.place] = static_cast<std::uint32_t>(lists_.size());
      std::vector<Cause> others = std::move(found_);
      found_.clear();
      add_operands(*node, depth);
      lists_[list_of_[value.place] - 1] = std::move(found_);
      found_ = std::move(others);
    }
    const std::uint32_t list = follows ? list_of_[value.place] : 0;
    if (list == 0 || lists_[list - 1].empty()) return add({Cause::Kind::made, &value, static_cast<std::int64_t>(axis), {}});
    for (std::size_t i = 0; i < lists_[list - 1].size(); ++i) add(lists_[list - 1][i]);
  }

  // Adds the causes in the operands of a node, for sizes of its outputs.
  void add_operands(const Node& node, std::size_t depth) {
    for (const Value* operand : node.inputs) {
      if (operand == nullptr || operand->dtype != Dtype::int64) continue;
      const Behind behind = find_behind(*operand);
      if (behind.input != nullptr) return add({Cause::Kind::value, behind.input, -1, {}});
      if (behind.sized != nullptr) add_dims(*behind.sized, depth + 1);
    }
    for (const Value* operand : node.inputs) {
      if (operand != nullptr && found_.empty()) add_dims(*operand, depth + 1);
    }
  }

  void add_dims(const Value& value, std::size_t depth) {
    if (!at(value).is_ranked()) return;
    for (const Size size : at(value).dims()) add_parts(size, depth);
  }

  // The sources of a value's elements: an input of the model whose elements are read, if any, and the first value whose shape
  // is.
  struct Behind {
    const Value* input = nullptr;
    const Value* sized = nullptr;
  };
  Behind find_behind(const Value& value) {
    Behind behind;
    ++visit_;
    path_.clear();
    path_.push_back(&value);
    while (!path_.empty() && behind.input == nullptr) {
      const Value& one = *path_.back();
      path_.pop_back();
      if (visited_[one.place] == visit_ || !require_memory(path_.size() + 8, 2 * sizeof(void*))) continue;
      visited_[one.place] = visit_;
      if (one.input != nullptr && one.graph->owner == nullptr) behind.input = &one;
      const Node* node = one.producer;
      if (node == nullptr || node->is_constant || !node->is_checked() || !node->graphs.empty()) continue;
      if (node->op == &op::shape || node->op == &op::size) {
        if (behind.sized == nullptr) behind.sized = node->inputs[0];
        continue;
      }
      for (const Value* input : node->inputs) {
        if (input != nullptr && input->initializer == nullptr) path_.push_back(input);
      }
    }
    return behind;
  }

  // Adds a node with graphs, and the cause of its condition or trip count.
  void add_graph(const Node& node) {
    KeptGraph kept{&node, false, false, {}};
    const Value* value = node.inputs.empty() || node.op == &scan ? nullptr : node.inputs[0];
    kept.is_known = value != nullptr && node.op == &loop && value->initializer != nullptr;
    if (value != nullptr && !kept.is_known) {
      const Behind behind = find_behind(*value);
      found_.clear();
      if (behind.input != nullptr) {
        add({Cause::Kind::value, behind.input, -1, {}});
      } else if (behind.sized != nullptr) {
        add_dims(*behind.sized, 0);
      } else if (value->producer != nullptr) {
        add({Cause::Kind::made, value, -1, {}});
      }
      kept.has_cause = !found_.empty();
      if (kept.has_cause) kept.cause = found_[0];
    }
    reasons.graphs.push_back(kept);
  }

  void add(const Cause& cause) {
    const bool is_known = std::any_of(found_.begin(), found_.end(), [&](const Cause& one) { return is_same(one, cause); });
    constexpr std::size_t most = 16;
    if (!is_known && found_.size() < most && require_memory(found_.size() + 1, 2 * sizeof(Cause))) found_.push_back(cause);
  }

  const Model& model_;
  const ShapeInference& inference_;
  std::span<const std::string_view> names_;
  std::vector<Cause> named_;  // by the numbers of the names; without a value if no input has the name
  Arena arena_;
  NameIndex places_;                       // in reasons.sizes, by the bytes of causes
  std::vector<std::uint32_t> visited_;     // by place: in which search
  std::vector<std::uint32_t> list_of_;     // by place: the number of its list, from 1; 0 if there is none
  std::vector<std::vector<Cause>> lists_;  // causes of the sizes of values
  std::vector<const Value*> unranked_;     // by place: the first value without a rank
  std::uint32_t visit_ = 0;
  std::vector<const Value*> path_;
  std::vector<Cause> found_;
};

}  // namespace

Result<Reasons> find_reasons(const Model& model, const ShapeInference& inference) {
  BROADLOOM_TRY(names, size_names(model));
  BROADLOOM_CHECK(require_memory(model.frame_size, 8 * sizeof(void*)));
  Finder finder(model, inference);
  BROADLOOM_CHECK(finder.run(names));
  return std::move(finder.reasons);
}

}  // namespace broadloom
