// A graph that many passes simplify, and random changes of it: nodes are inserted, replaced, copied and connected to
// other values of the same kind. Most of the changed graphs load.
#pragma once

#include <algorithm>
#include <utility>

#include "support/lists.h"
#include "support/proto.h"
#include "support/random.h"

namespace broadloom::test {

class ChangedGraph {
 public:
  ChangedGraph() {
    const Graph then_branch{{node("Transpose", {"a"}, {"t"}), node("Transpose", {"t"}, {"u"})}, {}, {any("u")}};
    const Graph else_branch{{node("Add", {"a", "one"}, {"t"})}, {}, {any("t")}};
    const Graph body{{node("Add", {"s", "s"}, {"n"}), node("Identity", {"go"}, {"on"}), node("Shape", {"n"}, {"o"})},
                     {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("s")},
                     {any("on"), any("n"), any("o")}};
    const auto axis = [](std::int64_t value) { return std::vector{Integers{"axis", {value}, false}}; };
    const auto perm = [](const List& values) { return std::vector{Integers{"perm", values, true}}; };
    const auto to = [](Dtype dtype) { return std::vector{Integers{"to", {static_cast<std::int64_t>(dtype)}, false}}; };
    steps_ = {
        {"Shape", {"x"}, {"s"}, integers},
        {"Gather", {"s", "first"}, {"n"}, integers, axis(0)},
        {"Concat", {"n", "minus"}, {"target"}, integers, axis(0)},
        {"Reshape", {"x", "target"}, {"r"}, singles},
        {"Unsqueeze", {"r", "first"}, {"r1"}, singles},
        {"Unsqueeze", {"r1", "first"}, {"r2"}, singles},
        {"Squeeze", {"r2", "first"}, {"r3"}, singles},
        {"Transpose", {"r3"}, {"q1"}, singles, perm({0, 2, 1})},
        {"Transpose", {"q1"}, {"q2"}, singles, perm({1, 0, 2})},
        {"Cast", {"q2"}, {"c1"}, doubles, to(Dtype::float64)},
        {"Cast", {"c1"}, {"c2"}, singles, to(Dtype::float32)},
        {"Slice", {"c2", "first", "n", "first"}, {"l"}, singles},
        {"Expand", {"l", "single"}, {"l1"}, singles},
        {"Identity", {"c2"}, {"a"}, singles},
        {"Add", {"a", "one"}, {"b1"}, singles},
        {"Add", {"a", "one"}, {"b2"}, singles},
        {"Mul", {"b1", "b2"}, {"b3"}, singles},
        {"Mul", {"b3", "one"}, {"y"}, singles},
        {"If", {"cond"}, {"z"}, singles, {}, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)}},
        {"Loop", {"three", "", "a"}, {"w", "o"}, singles, {}, {graph_of("body", body)}},
        {"Dropout", {"z"}, {"d"}, singles},
        {"Pad", {"d", "none"}, {"p"}, singles}};
    constants_ = {{"first", {1}, {0}, integers}, {"minus", {1}, {-1}, integers}, {"one", {}, {1}, singles},
                  {"three", {}, {3}, integers},  {"single", {1}, {1}, integers}, {"none", {6}, {0, 0, 0, 0, 0, 0}, integers}};
    outputs_ = {"y", "p", "w", "o"};
    declared_ = {value_info("q2", Dtype::float32, {3, "N", 1}), value_info("a", Dtype::float32, {"M", 3, ""})};
  }

  void change(Random& random) {
    switch (random.between(0, 8)) {
      case 0: rewire(random); break;
      case 1: replace(random); break;
      case 2: put_in(random); break;
      case 3: copy(random); break;
      case 4: pass_by(random); break;
      case 5: number_of(steps_[random.below(steps_.size())], random); break;
      case 6: change_number(constants_[random.below(constants_.size())].values, random); break;
      case 7: outputs_.push_back(value(random)); break;
      default: declared_.clear();
    }
  }

  Graph graph() const {
    std::vector<Proto> nodes;
    for (const Step& step : steps_) {
      std::vector<Proto> attributes = step.graphs;
      for (const Integers& one : step.attributes) {
        attributes.push_back(one.is_list ? ints_of(one.name, one.values) : int_of(one.name, one.values[0]));
      }
      nodes.push_back(node(step.op, step.inputs, step.outputs, attributes));
    }
    std::vector<Proto> initializers;
    for (const Constant& one : constants_) {
      initializers.push_back(one.kind == integers ? int64_tensor(one.dims, one.values, one.name)
                                                  : float_tensor(one.dims, {one.values.begin(), one.values.end()}, one.name));
    }
    std::vector<Proto> outputs;
    Names sorted = outputs_;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const std::string& name : sorted) outputs.push_back(value_info(name, Dtype::undefined));
    return {nodes,   {value_info("x", Dtype::float32, {"N", 3}), value_info("cond", Dtype::boolean, {1})},
            outputs, initializers,
            {},      declared_};
  }

 private:
  // Values of one kind may replace each other. Their dims may differ.
  enum Kind { singles, doubles, integers };

  struct Integers {
    std::string name;
    List values;
    bool is_list;
  };
  struct Step {
    std::string op;
    Names inputs;
    Names outputs;
    Kind kind;  // of its first output
    std::vector<Integers> attributes = {};
    std::vector<Proto> graphs = {};
  };
  struct Constant {
    std::string name;
    List dims;
    List values;
    Kind kind;
  };

  std::string new_name() { return "v" + std::to_string(count_++); }

  // The values of the kind that exist before a step.
  Names values_before(std::size_t step, Kind kind) const {
    Names names;
    if (kind == singles) names.push_back("x");
    for (const Constant& one : constants_) {
      if (one.kind == kind) names.push_back(one.name);
    }
    for (std::size_t i = 0; i < step; ++i) {
      if (steps_[i].kind == kind) names.push_back(steps_[i].outputs[0]);
    }
    return names;
  }
  // A random output of a step.
  std::string value(Random& random) const { return steps_[random.below(steps_.size())].outputs[0]; }

  std::size_t step_that_makes(const std::string& name) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].outputs[0] == name) return i;
    }
    return steps_.size();
  }
  Kind kind_of(const std::string& name) const {
    for (const Constant& one : constants_) {
      if (one.name == name) return one.kind;
    }
    const std::size_t step = step_that_makes(name);
    return step < steps_.size() ? steps_[step].kind : singles;
  }

  // Replaces an input by another value of its kind.
  void rewire(Random& random) {
    const std::size_t at = random.below(steps_.size());
    std::string& input = steps_[at].inputs[random.below(steps_[at].inputs.size())];
    if (input.empty() || input == "cond") return;
    const Names names = values_before(at, kind_of(input));
    if (!names.empty()) input = names[random.below(names.size())];
  }

  // Replaces an operator by another one with the same inputs.
  void replace(Random& random) {
    Step& step = steps_[random.below(steps_.size())];
    if (step.kind != singles || step.inputs.size() > 2 || !step.graphs.empty() || step.op == "Cast") return;
    if (step.inputs.size() == 2 && kind_of(step.inputs[1]) != singles) return;
    step.op = operator_of(step.inputs.size(), random);
    step.attributes.clear();
  }
  static std::string operator_of(std::size_t inputs, Random& random) {
    static constexpr const char* unary[] = {"Identity", "Neg",  "Abs",  "Relu",  "Transpose", "Dropout",    "Reciprocal",
                                            "Floor",    "Ceil", "Sign", "Clip",  "Softmax",   "LeakyRelu",  "ReduceSum",
                                            "Flatten",  "Sum",  "Max",  "Round", "Squeeze",   "ReduceMean", "Concat"};
    static constexpr const char* binary[] = {"Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "Sum", "Mean", "MatMul"};
    return inputs == 1 ? unary[random.below(std::size(unary))] : binary[random.below(std::size(binary))];
  }

  // Inserts a node between a value and one of its readers.
  void put_in(Random& random) {
    const std::size_t at = random.below(steps_.size());
    std::string& input = steps_[at].inputs[random.below(steps_[at].inputs.size())];
    if (input.empty() || input == "cond" || kind_of(input) != singles) return;
    const std::string name = new_name();
    Step step{"", {std::exchange(input, name)}, {name}, singles};
    if (random.one_in(2)) {
      const Names names = values_before(at, singles);
      step.inputs.push_back(names[random.below(names.size())]);
    }
    step.op = operator_of(step.inputs.size(), random);
    if (step.op == "Concat") step.attributes = {{"axis", {random.between(-2, 2)}, false}};
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at), step);
  }

  // Copies a node. The copy gets some of its readers or none.
  void copy(Random& random) {
    const std::size_t at = random.below(steps_.size());
    Step step = steps_[at];
    for (std::string& name : step.outputs) name = new_name();
    const std::string made = step.outputs[0];
    const std::string original = steps_[at].outputs[0];
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at) + 1, step);
    for (std::size_t i = at + 2; i < steps_.size(); ++i) {
      for (std::string& input : steps_[i].inputs) {
        if (input == original && random.one_in(2)) input = made;
      }
    }
    if (random.one_in(4)) outputs_.push_back(made);
  }

  // Turns a node into an Identity.
  void pass_by(Random& random) {
    Step& step = steps_[random.below(steps_.size())];
    if (step.outputs.size() > 1 || step.inputs[0] == "cond" || kind_of(step.inputs[0]) != step.kind) return;
    step = {"Identity", {step.inputs[0]}, step.outputs, step.kind};
  }

  static void change_number(List& values, Random& random) {
    std::int64_t& value = values[random.below(values.size())];
    value = random.one_in(2) ? value + random.between(-1, 1) : random.between(-2, 3);
  }
  // Changes a number of an attribute, or swaps two.
  static void number_of(Step& step, Random& random) {
    if (step.attributes.empty() || step.op == "Cast") return;
    List& values = step.attributes[0].values;
    if (values.size() == 1) return change_number(values, random);
    std::swap(values[random.below(values.size())], values[random.below(values.size())]);
  }

  std::vector<Step> steps_;
  std::vector<Constant> constants_;
  Names outputs_;
  std::vector<Proto> declared_;
  int count_ = 0;
};

}  // namespace broadloom::test
