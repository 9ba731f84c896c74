// Fused elementwise nodes have, bit for bit, the results of single nodes.
#include "graph/fusion/fusion.h"

#include <map>

#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::test::fusion_test {
namespace {

std::size_t joined_nodes(const Model& model) {
  std::size_t count = 0;
  for (const Node* node : model.graph->order) count += fusion_of(*node).reader != nullptr ? 1 : 0;
  return count;
}

Graph chain(const std::vector<test::Proto>& nodes, std::string_view output, Dtype dtype = Dtype::float32) {
  return {nodes,
          {value_info("x", Dtype::float32), value_info("a", Dtype::float32), value_info("b", Dtype::float32)},
          {value_info(output, dtype)}};
}

TEST(Joining, AChainIsOneComputation) {
  const Graph graph = chain({node("Sub", {"x", "a"}, {"y"}), node("Div", {"y", "b"}, {"z"})}, "z");
  const auto model = test::load(graph);
  ModelRun runs(*model);
  EXPECT_EQ(joined_nodes(*model), 1U);
  const Feeds feeds{{"x", floats({2, 2}, {1, 2, 3, 4})}, {"a", floats({2}, {1, 0})}, {"b", floats({}, {2})}};
  EXPECT_EQ(elements<float>(must(test::run(runs, feeds))[0]), (std::vector<float>{0, 1, 1, 2}));
  // The second run does not depend on the first.
  EXPECT_EQ(elements<float>(must(test::run(runs, feeds))[0]), (std::vector<float>{0, 1, 1, 2}));
}

TEST(Joining, AnIntermediateResultThatIsStretchedLaterIsComputedOnce) {
  const Graph graph = chain({node("Sub", {"a", "b"}, {"y"}), node("Mul", {"x", "y"}, {"z"})}, "z");
  const Feeds feeds{{"x", floats({2, 2}, {1, 2, 3, 4})}, {"a", floats({2}, {1, 0})}, {"b", floats({}, {2})}};
  EXPECT_EQ(elements<float>(test::run_one(graph, feeds)), (std::vector<float>{-1, -4, -3, -8}));
}

TEST(Joining, AValueWithSeveralReadersIsComputedOnceWithAllOfThem) {
  Graph graph = chain({node("Neg", {"x"}, {"y"}), node("Add", {"y", "y"}, {"z"})}, "z");
  EXPECT_EQ(joined_nodes(*test::load(graph)), 1U);
  graph = chain({node("Add", {"x", "a"}, {"y"}), node("Abs", {"y"}, {"p"}), node("Neg", {"y"}, {"n"}),
                 node("Mul", {"p", "n"}, {"q"}), node("Div", {"q", "y"}, {"z"})},
                "z");
  EXPECT_EQ(joined_nodes(*test::load(graph)), 4U);
  const Feeds feeds{{"x", floats({2, 2}, {1, -2, 3, 4})}, {"a", floats({2}, {1, 0})}, {"b", floats({}, {2})}};
  EXPECT_EQ(elements<float>(test::run_one(graph, feeds)), (std::vector<float>{-2, -2, -4, -4}));
}

// The sum of a product has two readers. Where a part of the program was computed by itself, it wrote the sum over the product,
// which the rest of the program then read for the product.
TEST(Joining, AValueWithSeveralReadersStaysInALongProgramBehindAProduct) {
  const auto number = [](float value, const char* name) { return float_tensor({}, {value}, name); };
  const Graph graph{{node("MatMul", {"x", "w"}, {"p"}), node("Add", {"p", "tenth"}, {"h"}), node("Div", {"h", "root"}, {"d"}),
                     node("Erf", {"d"}, {"e"}), node("Add", {"e", "one"}, {"f"}), node("Mul", {"h", "f"}, {"g"}),
                     node("Mul", {"g", "half"}, {"m"}), node("QuantizeLinear", {"m", "s", "z"}, {"q"}),
                     node("DequantizeLinear", {"q", "s", "z"}, {"y"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("y", Dtype::float32)},
                    {float_tensor({2, 2}, {1, 2, 3, 4}, "w"), number(0.1F, "tenth"), number(1.4F, "root"), number(1, "one"),
                     number(0.5F, "half"), number(0.02F, "s"), raw_tensor(Dtype::uint8, {}, "\x14", "z")}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  must(test::run(runs, {{"x", floats({3, 2}, {0.5F, -0.25F, 0.75F, 0.1F, -0.5F, 0.3F})}}));
}

TEST(Joining, AValueThatIsAnOutputOrHasAnotherReaderIsNotFused) {
  Graph graph = chain({node("Neg", {"x"}, {"y"}), node("Add", {"y", "a"}, {"z"})}, "z");
  EXPECT_EQ(joined_nodes(*test::load(graph)), 1U);
  graph.nodes.push_back(node("Softmax", {"y"}, {"s"}));
  graph.outputs.push_back(value_info("s", Dtype::float32));
  EXPECT_EQ(joined_nodes(*test::load(graph)), 0U);
  graph.nodes.pop_back();
  graph.outputs.back() = value_info("y", Dtype::float32);
  EXPECT_EQ(joined_nodes(*test::load(graph)), 0U);
}

TEST(Joining, ASharedValueWhoseReadersDoNotFitInOneProgramIsComputedBeforeThem) {
  // Each pair of readers takes an operand more than the one before.
  Graph graph = chain({node("Neg", {"x"}, {"y"})}, "z");
  std::string last = "y";
  for (int i = 0; i < 16; ++i) {
    const std::string number = std::to_string(i);
    graph.inputs.push_back(value_info("k" + number, Dtype::float32));
    graph.nodes.push_back(node("Mul", {"y", "k" + number}, {"m" + number}));
    graph.nodes.push_back(node("Add", {last, "m" + number}, {i == 15 ? "z" : "s" + number}));
    last = "s" + number;
  }
  Feeds feeds{{"x", floats({2}, {1, 2})}, {"a", floats({}, {0})}, {"b", floats({}, {0})}};
  for (int i = 0; i < 16; ++i) feeds.emplace_back("k" + std::to_string(i), floats({2}, {1, 2}));
  EXPECT_EQ(elements<float>(test::run_one(graph, feeds)), (std::vector<float>{-17, -66}));
}

TEST(Joining, ASharedValueOfFewerElementsThanTheResultIsComputedOnce) {
  const Graph graph = chain({node("Sub", {"a", "b"}, {"s"}), node("Neg", {"s"}, {"n"}), node("Mul", {"s", "n"}, {"m"}),
                             node("Add", {"x", "m"}, {"t"}), node("Sub", {"t", "s"}, {"z"})},
                            "z");
  const Feeds feeds{{"x", floats({2, 2}, {1, 2, 3, 4})}, {"a", floats({2}, {1, 0})}, {"b", floats({}, {2})}};
  EXPECT_EQ(elements<float>(test::run_one(graph, feeds)), (std::vector<float>{1, 0, 3, 2}));
}

TEST(Joining, SharedSumsOfManyOperandsAreComputed) {
  Graph graph = chain({node("Sum", {"x", "a", "b", "x", "a", "b", "x", "a"}, {"s"}),
                       node("Max", {"s", "x", "a", "b", "s", "a"}, {"m"}), node("Sum", {"m", "s", "m", "s", "x", "a"}, {"z"})},
                      "z");
  const Feeds feeds{{"x", floats({2}, {1, 2})}, {"a", floats({2}, {1, 0})}, {"b", floats({}, {2})}};
  EXPECT_EQ(elements<float>(test::run_one(graph, feeds)), (std::vector<float>{42, 42}));
}

TEST(Joining, ADeepRowOfSquaresIsComputed) {
  Graph graph = chain({}, "y200");
  for (int i = 0; i < 200; ++i) {
    const std::string from = i == 0 ? "x" : "y" + std::to_string(i);
    graph.nodes.push_back(node("Mul", {from, from}, {"y" + std::to_string(i + 1)}));
  }
  const Feeds feeds{{"x", floats({2}, {1, -1})}, {"a", floats({}, {1})}, {"b", floats({}, {0})}};
  EXPECT_EQ(elements<float>(test::run_one(graph, feeds)), (std::vector<float>{1, 1}));
}

TEST(Joining, AValueThatABranchReadsIsNotFused) {
  const Graph branch{{node("Identity", {"y"}, {"i"})}, {}, {value_info("i", Dtype::float32)}};
  Graph graph =
      chain({node("Neg", {"x"}, {"y"}), node("Add", {"y", "a"}, {"z"}),
             node("If", {"c"}, {"w"}, {test::graph_of("then_branch", branch), test::graph_of("else_branch", branch)})},
            "z");
  graph.inputs.push_back(value_info("c", Dtype::boolean));
  graph.outputs.push_back(value_info("w", Dtype::float32));
  EXPECT_EQ(joined_nodes(*test::load(graph)), 0U);
}

// An image of bytes, [32, 20, 3]: (x - a) / b as float32, and as [3, 32, 20].
Graph image() {
  return {{node("Cast", {"x"}, {"f"}, {int_of("to", 1)}), node("Sub", {"f", "a"}, {"d"}), node("Div", {"d", "b"}, {"n"}),
           node("Transpose", {"n"}, {"t"}, {test::ints_of("perm", {2, 0, 1})})},
          {value_info("x", Dtype::uint8), value_info("a", Dtype::float32), value_info("b", Dtype::float32)},
          {value_info("t", Dtype::float32)}};
}

Feeds pixels() {
  Tensor x = must(make_tensor(Dtype::uint8, {32, 20, 3}));
  for (std::size_t i = 0; i < 1920; ++i) x.data()[i] = static_cast<std::byte>(i * 7);
  return {{"x", x}, {"a", floats({3}, {1, 2, 3})}, {"b", floats({3}, {2, 4, 8})}};
}

TEST(Joining, SmallElementsAreTransposedInPlaceOfALargerResult) {
  const Tensor found = test::run_one(image(), pixels());
  ASSERT_EQ(found.dims(), (Dims{3, 32, 20}));
  EXPECT_TRUE(is_dense(found.layout));
  const auto values = elements<float>(found);
  for (std::size_t pixel = 0; pixel < 640; ++pixel) {
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const auto byte = static_cast<float>((pixel * 3 + channel) * 7 % 256);
      const float expected = (byte - static_cast<float>(channel + 1)) / static_cast<float>(2 << channel);
      ASSERT_EQ(values[channel * 640 + pixel], expected);
    }
  }
}

TEST(Joining, ATransposeThatFailsIsNamedInTheError) {
  Graph graph = image();
  graph.nodes.back() = node("Transpose", {"n"}, {"t"}, {test::ints_of("perm", {2, 0, 0})}, "last");
  EXPECT_TRUE(test::fails(test::run(*test::load(graph), pixels()), Code::InvalidArgument, "last"));
}

TEST(Joining, DimsThatDoNotFitAreRefusedAtTheirNode) {
  const Graph graph = chain({node("Sub", {"x", "a"}, {"y"}, {}, "first"), node("Div", {"y", "b"}, {"z"}, {}, "second")}, "z");
  const auto model = test::load(graph);
  ModelRun runs(*model);
  EXPECT_TRUE(test::fails(test::run(runs, {{"x", floats({2}, {1, 2})}, {"a", floats({3}, {1, 2, 3})}, {"b", floats({}, {1})}}),
                          Code::InvalidArgument, "first"));
  EXPECT_TRUE(test::fails(test::run(runs, {{"x", floats({2}, {1, 2})}, {"a", floats({}, {1})}, {"b", floats({3}, {1, 2, 3})}}),
                          Code::InvalidArgument, "second"));
}

TEST(Joining, RowsOfThousandsOfNodesAreComputed) {
  Graph graph = chain({}, "y3000");
  for (int i = 0; i < 3000; ++i) {
    const std::string from = i == 0 ? "x" : "y" + std::to_string(i);
    graph.nodes.push_back(node(i % 2 == 0 ? "Add" : "Sub", {from, "a"}, {"y" + std::to_string(i + 1)}));
  }
  const Feeds feeds{{"x", floats({2}, {1, 2})}, {"a", floats({}, {1})}, {"b", floats({}, {0})}};
  EXPECT_EQ(elements<float>(test::run_one(graph, feeds)), (std::vector<float>{1, 2}));
}

// Makes graphs of elementwise nodes over few dims and types. The last value is the output.
class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  Graph make() {
    for (const Dtype dtype : types) {
      for (int i = 0; i < 3; ++i) add_input(dtype);
    }
    const auto count = random_.between(1, 14);
    for (std::int64_t i = 0; i < count; ++i) add_node();
    if (random_.one_in(2)) add("Transpose", {last_.first}, last_.second);
    graph_.outputs.push_back(value_info(last_.first, last_.second));
    return graph_;
  }
  const Feeds& feeds() const { return feeds_; }
  const std::vector<std::pair<std::string, Dtype>>& made() const { return made_; }

 private:
  static constexpr Dtype types[] = {Dtype::float32, Dtype::float16, Dtype::int32, Dtype::int8, Dtype::uint8, Dtype::boolean};

  void add_input(Dtype dtype) {
    const std::string name = "x" + std::to_string(graph_.inputs.size());
    graph_.inputs.push_back(value_info(name, dtype));
    static const Dims dims[] = {{}, {3}, {2, 1}, {2, 3}, {2, 3}, {1, 1}};
    Tensor tensor = must(make_tensor(dtype, wide_ ? large(dims[random_.below(6)]) : dims[random_.below(6)]));
    const auto bytes = static_cast<std::size_t>(tensor.count()) * item_size(dtype);
    for (std::size_t i = 0; i < bytes; ++i) {
      tensor.data()[i] = static_cast<std::byte>(dtype == Dtype::boolean ? random_.between(0, 1) : random_.between(0, 255));
    }
    if (dtype == Dtype::float32) {
      for (std::int64_t i = 0; i < tensor.count(); ++i) {
        // Some have random bits, including NaNs with payloads.
        if (!random_.one_in(8)) reinterpret_cast<float*>(tensor.data())[i] = static_cast<float>(random_.real(-100, 100));
      }
    }
    if (tensor.dims().size() == 2 && random_.one_in(3)) {
      // Transposed in memory.
      std::swap(tensor.layout.edit().dims[0], tensor.layout.edit().dims[1]);
      tensor.layout.make_dense();
      graph_.nodes.push_back(node("Transpose", {name}, {name + "t"}));
      values_[dtype].push_back(name + "t");
    } else {
      values_[dtype].push_back(name);
    }
    feeds_.emplace_back(name, tensor);
  }
  // More than a block of elements.
  static Dims large(Dims dims) {
    for (std::int64_t& size : dims) size = size == 1 ? 1 : size * 17;
    return dims;
  }
  std::string some(Dtype dtype) {
    // Often picks the last value, to make chains.
    if (last_.second == dtype && random_.one_in(2)) return last_.first;
    return values_[dtype][random_.below(values_[dtype].size())];
  }
  void add(const char* type, const std::vector<std::string>& inputs, Dtype dtype,
           const std::vector<test::Proto>& attributes = {}) {
    const std::string name = "v" + std::to_string(made_.size());
    graph_.nodes.push_back(node(type, inputs, {name}, attributes));
    values_[dtype].push_back(name);
    last_ = {name, dtype};
    made_.push_back(last_);
  }
  void add_node() {
    const Dtype dtype = types[random_.below(5)];
    const Dtype other = types[random_.below(6)];
    static const char* const of_numbers[] = {"Add", "Sub", "Mul", "Div", "Min", "Max"};
    static const char* const of_floats[] = {"Floor", "Sqrt", "Ceil", "Neg", "Abs"};
    static const char* const comparisons[] = {"Less", "Equal", "GreaterOrEqual"};
    switch (random_.between(0, 6)) {
      case 0: return add("Cast", {some(dtype)}, other, {int_of("to", static_cast<std::int64_t>(other))});
      case 1: return add("Where", {some(Dtype::boolean), some(dtype), some(dtype)}, dtype);
      case 2: return add(comparisons[random_.below(3)], {some(dtype), some(dtype)}, Dtype::boolean);
      case 3: {
        const Dtype real = random_.one_in(2) ? Dtype::float32 : Dtype::float16;
        return add(of_floats[random_.below(5)], {some(real)}, real);
      }
      default: return add(of_numbers[random_.below(6)], {some(dtype), some(dtype)}, dtype);
    }
  }

  Random& random_;
  bool wide_ = random_.one_in(2);
  Graph graph_;
  Feeds feeds_;
  std::map<Dtype, std::vector<std::string>> values_;
  std::pair<std::string, Dtype> last_;
  std::vector<std::pair<std::string, Dtype>> made_;
};

TEST(Joining, RandomGraphsGiveTheSameBitsJoinedAndOneByOne) {
  Random random;
  std::size_t joined = 0;
  for (int i = 0; i < rounds(250); ++i) {
    Maker maker(random);
    Graph graph = maker.make();
    const auto together = test::load(graph);
    // An output is not fused.
    graph.outputs.clear();
    for (const auto& [name, dtype] : maker.made()) graph.outputs.push_back(value_info(name, dtype));
    const auto alone = test::load(graph);
    ASSERT_EQ(joined_nodes(*alone), 0U);
    joined += joined_nodes(*together);
    const auto found = must(test::run(*together, maker.feeds()));
    const auto expected = must(test::run(*alone, maker.feeds()));
    ASSERT_EQ(found[0].dims(), expected.back().dims());
    ASSERT_EQ(test::bytes_of(found[0]), test::bytes_of(expected.back())) << "graph " << i;
  }
  EXPECT_GT(joined, 120U);
}

}  // namespace
}  // namespace broadloom::test::fusion_test
