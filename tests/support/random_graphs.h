// Random graphs, with feeds.
#pragma once

#include <map>
#include <utility>

#include "support/models.h"
#include "support/random.h"

namespace broadloom::test {

// Makes graphs of one of two kinds of values: int64 of any dims, which compute sizes and use them, or rows of three float32,
// which are read repeatedly, viewed and fused.
class GraphMaker {
 public:
  explicit GraphMaker(Random& random) : random_(random) {}

  // A file of sizes, all of whose values are outputs.
  std::string make() {
    Graph graph;
    graph.inputs.push_back(value_info("flag", Dtype::boolean, {}));
    graph.inputs.push_back(value_info("trips", Dtype::int64, {}));
    for (int i = 0; i < 4; ++i) {
      const std::string name = "x" + std::to_string(i);
      if (random_.one_in(8)) {
        graph.inputs.push_back(value_info(name, Dtype::int64));
      } else {
        std::vector<Size> dims;
        for (std::int64_t rank = random_.between(0, 3); rank > 0; --rank) dims.push_back(size());
        graph.inputs.push_back(value_info(name, Dtype::int64, dims));
      }
      values_.push_back(name);
    }
    graph.initializers = {int64_tensor({1}, {2}, "two"),        int64_tensor({2}, {1, 3}, "pair"),
                          int64_tensor({0}, {}, "none"),        int64_tensor({1}, {0}, "first"),
                          int64_tensor({1}, {-1}, "last"),      int64_tensor({2}, {0, -1}, "rest"),
                          int64_tensor({1}, {INT64_MAX}, "far")};
    for (const char* name : {"two", "pair", "none", "first"}) values_.emplace_back(name);
    graph.nodes = nodes(8, 0);
    for (const std::string& name : made_) graph.outputs.push_back(declared(name));
    return model(graph);
  }

  // A graph of `count` steps over any number of rows. Some values are outputs, and always the last one.
  Graph rows(int count) {
    Graph graph;
    graph.inputs = {value_info("r0", Dtype::float32), value_info("r1", Dtype::float32)};
    graph.initializers = {float_tensor({3, 3}, {1, 0, -1, 2, 1, 0.5F, 0, 1, 1}, "w"), float_tensor({3}, {1, 2, 3}, "b"),
                          int64_tensor({2}, {-1, 3}, "target"), int64_tensor({2}, {2, 0}, "some"),
                          int64_tensor({1}, {1}, "columns")};
    values_ = {"r0", "r1", "w"};
    for (int i = 0; i < count; ++i) add_rows(graph.nodes);
    for (const std::string& name : values_) {
      if (name == values_.back() || random_.one_in(3)) graph.outputs.push_back(value_info(name, Dtype::float32));
    }
    return graph;
  }

 private:
  Size size() {
    static const char* const names[] = {"n", "m", ""};
    if (random_.one_in(2)) return names[random_.below(3)];
    return static_cast<int>(random_.between(0, 3));
  }
  // Some declarations are wrong. No inference may rely on them.
  Proto declared(const std::string& name) {
    return random_.one_in(2) ? value_info(name, Dtype::int64) : value_info(name, Dtype::int64, {size()});
  }
  std::string one_of(std::initializer_list<const char*> names) { return names.begin()[random_.below(names.size())]; }
  std::string some() { return values_[random_.below(values_.size())]; }
  std::string fresh() { return "v" + std::to_string(++count_); }

  void add_rows(std::vector<Proto>& list) {
    const std::string source = some();
    std::string at = source;
    // Goes on with the result of a node. The last result is its input after these.
    const auto last = [&](std::string_view op, Names inputs, const std::vector<Proto>& attributes = {}) {
      inputs.push_back(std::exchange(at, fresh()));
      list.push_back(node(op, inputs, {at}, attributes));
    };
    // Goes on in the same way, but the last result is the first input.
    const auto then = [&](std::string_view op, Names more = {}, const std::vector<Proto>& attributes = {}) {
      more.insert(more.begin(), std::exchange(at, fresh()));
      list.push_back(node(op, more, {at}, attributes));
    };
    switch (random_.below(13)) {
      case 0: then("Relu"); break;
      case 1: then("Mul", {"b"}); break;
      case 2: then("MatMul", {"w"}); break;
      case 3: then("Softmax"); break;
      case 4: then("Concat", {some()}, {int_of("axis", 0)}); break;
      case 5:
        then("Gather", {"some"}, {int_of("axis", 1)});
        then("Concat", {at}, {int_of("axis", 1)});
        then("Flatten", {}, {int_of("axis", 0)});
        then("Concat", {at, at}, {int_of("axis", 1)});
        then("Reshape", {"target"});
        break;
      case 6: then("Identity"); break;
      case 7:
        then("Transpose");
        then("Neg");
        then("Transpose");
        break;
      case 8:
        then("Shape");
        last("Expand", {"b"});
        break;
      case 9:
        then("Exp");
        then("Neg");
        then("Add", {"b"});
        break;
      case 10:
        then("Relu");
        then("Sign");
        then("ReduceMax", {"columns"}, {int_of("keepdims", 0)});
        then("Cast", {}, {int_of("to", 9)});
        last("Compress", {source}, {int_of("axis", 0)});
        break;
      case 11: then("Reshape", {"target"}); break;
      default: then("Sub", {at}); break;
    }
    values_.push_back(at);
  }

  std::vector<Proto> nodes(int count, int depth) {
    std::vector<Proto> list;
    for (int i = 0; i < count; ++i) {
      std::vector<std::string> outputs{fresh()};
      const std::string a = some();
      const std::string b = some();
      switch (random_.between(0, depth < 2 ? 14 : 12)) {
        case 0: list.push_back(node("Shape", {a}, outputs, {int_of("start", random_.between(-2, 1))})); break;
        case 1:
          list.push_back(node("ConstantOfShape", {a}, outputs,
                              {tensor_of_attribute("value", int64_tensor({1}, {random_.between(0, 3)}))}));
          break;
        case 2: list.push_back(node("Expand", {a, b}, outputs)); break;
        case 3: list.push_back(node("Identity", {a}, outputs)); break;
        case 4: {
          list.push_back(node("Shape", {b}, {outputs[0] + "s"}));
          list.push_back(node("Expand", {a, outputs[0] + "s"}, outputs));
          break;
        }
        case 5: list.push_back(node("Reshape", {a, random_.one_in(2) ? b : one_of({"last", "rest"})}, outputs)); break;
        case 6: list.push_back(node("Flatten", {a}, outputs, {int_of("axis", random_.between(-1, 2))})); break;
        case 7: {
          const bool names_axes = random_.one_in(2);
          list.push_back(node("Squeeze", {a, names_axes ? one_of({"first", "last", "none"}) : ""}, outputs));
          break;
        }
        case 8: list.push_back(node("Unsqueeze", {a, one_of({"first", "last", "none"})}, outputs)); break;
        case 9: list.push_back(node("Transpose", {a}, outputs)); break;
        case 10: {
          const std::string start = one_of({"first", "last", "two", "far"});
          const std::string end = random_.one_in(3) ? b : one_of({"first", "last", "two", "far"});
          const std::string step = one_of({"", "two", "last"});
          list.push_back(node("Slice", {a, start, end, "first", step}, outputs));
          break;
        }
        case 11: {
          outputs.push_back(fresh());
          list.push_back(node("Split", {a}, outputs, {int_of("axis", 0), int_of("num_outputs", 2)}));
          break;
        }
        case 12: {
          // A shape of consecutive sizes and a number.
          list.push_back(node("Shape", {b}, {outputs[0] + "s"}));
          list.push_back(node("Size", {a}, {outputs[0] + "c"}));
          list.push_back(node("Unsqueeze", {outputs[0] + "c", "first"}, {outputs[0] + "u"}));
          list.push_back(node("Concat", {outputs[0] + one_of({"s", "u"}), a, outputs[0] + "u"}, outputs, {int_of("axis", 0)}));
          break;
        }
        case 13: {
          outputs.push_back(fresh());
          Graph then_branch = inner(depth, 2);
          Graph else_branch = random_.one_in(3) ? then_branch : inner(depth, 2);
          list.push_back(
              node("If", {"flag"}, outputs, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)}));
          break;
        }
        default: {
          outputs.push_back(fresh());
          const std::string number = fresh();
          const std::string going = fresh();
          const std::string state = fresh();
          const std::size_t outside = values_.size();
          values_.push_back(number);
          values_.push_back(state);
          Graph body = inner(depth, 2);
          values_.resize(outside);
          body.inputs = {value_info(number, Dtype::int64, {}), value_info(going, Dtype::boolean, {}), declared(state)};
          body.outputs.insert(body.outputs.begin(), value_info(going, Dtype::boolean));
          list.push_back(node("Loop", {"trips", "", a}, outputs, {graph_of("body", body)}));
        }
      }
      for (const std::string& name : outputs) {
        values_.push_back(name);
        if (depth == 0) made_.push_back(name);
      }
    }
    return list;
  }

  Graph inner(int depth, int outputs) {
    Graph graph;
    const std::size_t outside = values_.size();
    graph.nodes = nodes(static_cast<int>(random_.between(0, 2)), depth + 1);
    for (int i = 0; i < outputs; ++i) graph.outputs.push_back(declared(some()));
    values_.resize(outside);
    return graph;
  }

  Random& random_;
  std::vector<std::string> values_;
  std::vector<std::string> made_;
  int count_ = 0;
};

inline Tensor filled(const List& dims, Random& random) {
  Tensor tensor = zeros(Dtype::int64, dims_of(dims));
  auto* elements = reinterpret_cast<std::int64_t*>(tensor.data());
  for (std::int64_t i = 0; i < tensor.count(); ++i) elements[i] = random.between(0, 3);
  return tensor;
}

// Feeds of a graph of sizes.
inline Feeds feeds_for(const Model& model, Random& random) {
  std::map<std::string_view, std::int64_t> names;
  Feeds feeds;
  for (const GraphInput& input : model.graph->inputs) {
    List dims;
    for (const Dimension& dim : input.info.dims) {
      const std::int64_t some = random.between(0, 3);
      dims.push_back(dim.value >= 0 ? dim.value : dim.name.empty() ? some : names.try_emplace(dim.name, some).first->second);
    }
    if (!input.info.has_shape) dims.resize(random.below(3), random.between(0, 2));
    if (input.info.dtype == Dtype::boolean) {
      feeds.emplace_back(input.info.name, tensor_of<std::uint8_t>(Dtype::boolean, {}, {std::uint8_t(random.between(0, 1))}));
    } else {
      feeds.emplace_back(input.info.name, filled(dims, random));
    }
  }
  return feeds;
}

}  // namespace broadloom::test
