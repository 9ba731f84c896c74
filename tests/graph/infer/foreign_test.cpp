// Shape rules of unsupported operators.
#include <algorithm>
#include <climits>
#include <fstream>
#include <iterator>
#include <set>

#include "graph/structure/control_flow.h"
#include "ops/operators.h"
#include "support/cases.h"
#include "support/inferred.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator conv;
}
namespace broadloom::op::microsoft {
extern const Operator fused_mat_mul;
}
namespace broadloom::op::ruled::learning {
extern const Operator scaler;
}

namespace broadloom::foreign_test {
namespace {

using test::float_tensor;
using test::Graph;
using test::int64_tensor;
using test::int_of;
using test::ints_of;
using test::must;
using test::node;
using test::Proto;
using test::Random;
using test::sizes_of;
using test::value_info;

using Shape = std::vector<test::Size>;

Proto text_of(std::string_view name, std::string_view value) {
  return test::attribute(name, AttributeType::STRING).string(4, value);
}

// The sizes of the last output of a node with inputs a, b, c ... of these dims.
std::string sizes(const std::string& op, const std::vector<Shape>& inputs, const std::vector<Proto>& attributes = {},
                  std::int64_t opset = 17, int outputs = 1, const std::string& domain = "") {
  Graph graph;
  test::Names names;
  for (const Shape& shape : inputs) {
    names.emplace_back(1, static_cast<char>('a' + names.size()));
    graph.inputs.push_back(value_info(names.back(), Dtype::float32, shape));
  }
  test::Names made;
  for (int i = 0; i < outputs; ++i) made.push_back("y" + std::to_string(i));
  graph.nodes = {node(op, names, made, attributes, "", domain), node("Identity", {made.back()}, {"z"})};
  return sizes_of(graph, opset);
}

TEST(Foreign, EveryOperatorOfOnnxIsKnownExceptThoseOfSequencesAndOptionals) {
  std::ifstream stream(BROADLOOM_SCHEMAS, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::string key = "\"operator\":";
  std::set<std::string> names;
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const std::size_t begin = text.find('"', at + key.size()) + 1;
    names.insert(text.substr(begin, text.find('"', begin) - begin));
  }
  EXPECT_GE(names.size(), 200U);
  std::set<std::string> others;
  for (const std::string& name : names) {
    const Operator* op = find_graph_operator("", name);
    if (op == nullptr) others.insert(name);
  }
  // These read or make sequences and optionals.
  const std::set<std::string> wanted{"ConcatFromSequence", "Optional",       "OptionalGetElement", "SequenceAt",
                                     "SequenceConstruct",  "SequenceEmpty",  "SequenceErase",      "SequenceInsert",
                                     "SequenceMap",        "SplitToSequence"};
  EXPECT_EQ(others, wanted);
}

TEST(Foreign, ADomainHasItsOwn) {
  EXPECT_EQ(find_operator("com.microsoft", "FusedMatMul"), &op::microsoft::fused_mat_mul);
  EXPECT_EQ(find_operator("ai.onnx.ml", "Scaler"), &op::ruled::learning::scaler);
  EXPECT_EQ(find_operator("ai.onnx", "Conv"), &op::conv);
  EXPECT_EQ(find_operator("", "FusedMatMul"), nullptr);
  EXPECT_EQ(find_operator("com.microsoft", "Conv"), nullptr);
  EXPECT_EQ(find_operator("com.example", "Relu"), nullptr);
  EXPECT_EQ(find_operator("", ""), nullptr);
  EXPECT_EQ(find_operator("", "Zzz"), nullptr);
}

TEST(Foreign, NoneRunsAndEachIsFoundByDomainAndName) {
  for (const Operator* op : foreign_operators()) {
    EXPECT_FALSE(op->runs()) << op->name;
    EXPECT_EQ(find_operator(op->domain, op->name), op) << op->name;
  }
}

TEST(Foreign, ElementwiseOperatorsKeepTheDims) {
  EXPECT_EQ(sizes("Relu", {{"n", 3, ""}}), "n 3 ?");
  EXPECT_EQ(sizes("Softmax", {{"n", 3}}), "n 3");
  EXPECT_EQ(sizes("Dropout", {{"n", 3}}, {}, 12, 2), "n 3");
  EXPECT_EQ(sizes("Pow", {{"n", 1}, {4}}), "n 4");
  EXPECT_EQ(sizes("BitwiseAnd", {{"n", 1}, {4}}, {}, 18), "n 4");
  EXPECT_EQ(sizes("Gelu", {{"n", 3}}, {}, 17, 1, "com.microsoft"), "n 3");
}

TEST(Foreign, OfMatrices) {
  EXPECT_EQ(sizes("MatMulInteger16", {{"b", 1, "n", 4}, {8, 4, "m"}}, {}, 17, 1, "com.microsoft"), "b 8 n m");
  EXPECT_EQ(sizes("MatMulInteger16", {{4}, {4}}, {}, 17, 1, "com.microsoft"), "");
  EXPECT_EQ(sizes("FusedGemm", {{4, "n"}, {7, 4}}, {int_of("transA", 1), int_of("transB", 1)}, 17, 1, "com.microsoft"), "n 7");
  EXPECT_EQ(sizes("FusedMatMul", {{"b", 4, "n"}, {"b", 4, 7}}, {int_of("transA", 1)}, 17, 1, "com.microsoft"), "b n 7");
  EXPECT_EQ(sizes("FusedMatMulActivation", {{4, "n"}, {4, 7}}, {int_of("transA", 1)}, 17, 1, "com.microsoft"), "n 7");
  EXPECT_EQ(sizes("FusedMatMulActivation", {{"b", 4, "n"}, {"b", 7, 4}}, {int_of("transA", 1), int_of("transB", 1)}, 17, 1,
                  "com.microsoft"),
            "b n 7");
  EXPECT_EQ(sizes("MatMulBnb4", {{"b", "n", 64}, {128, 4}}, {int_of("N", 128)}, 17, 1, "com.microsoft"), "b n 128");
}

TEST(Foreign, OfConvolutionsAndPools) {
  EXPECT_EQ(sizes("Conv", {{"n", 3, 224, "w"}, {8, 3, 3, 3}}, {ints_of("pads", {1, 1, 1, 1}), ints_of("strides", {2, 2})}),
            "n 8 112 floor((w + 1)/(2))");
  EXPECT_EQ(sizes("Conv", {{"n", 3, 10}, {8, 3, 3}}, {ints_of("dilations", {2})}), "n 8 6");
  EXPECT_EQ(sizes("Conv", {{"n", 3, 10}, {8, 3, 3}}, {text_of("auto_pad", "SAME_UPPER"), ints_of("strides", {3})}), "n 8 4");
  EXPECT_EQ(sizes("Conv", {{"n", 3, 10}, {8, 3, 3}}, {text_of("auto_pad", "VALID"), ints_of("pads", {0, 0})}), "n 8 8");
  const Proto kernel = ints_of("kernel_shape", {2, 2});
  EXPECT_EQ(sizes("MaxPool", {{1, 2, 5, 5}}, {kernel, ints_of("strides", {2, 2})}, 12, 2), "1 2 2 2");
  EXPECT_EQ(sizes("MaxPool", {{1, 2, 5, 5}}, {kernel, ints_of("strides", {2, 2}), int_of("ceil_mode", 1)}), "1 2 3 3");
  // The last window would start in the padding at the end.
  EXPECT_EQ(sizes("AveragePool", {{1, 2, 5}},
                  {ints_of("kernel_shape", {2}), ints_of("strides", {3}), ints_of("pads", {0, 1}), int_of("ceil_mode", 1)}),
            "1 2 2");
  EXPECT_EQ(sizes("GlobalAveragePool", {{"n", 3, "h", "w"}}), "n 3 1 1");
  EXPECT_EQ(sizes("ConvTranspose", {{"n", 8, "h"}, {8, 4, 3}}, {ints_of("strides", {2}), int_of("group", 2)}), "n 8 2*h + 1");
  EXPECT_EQ(sizes("ConvTranspose", {{"n", 8, "h"}, {8, 4, 3}}, {ints_of("output_shape", {9})}), "n 4 9");
  EXPECT_EQ(sizes("MaxUnpool", {{1, 1, 2, 2}, {1, 1, 2, 2}}, {kernel, ints_of("strides", {2, 2})}), "1 1 4 4");
}

TEST(Foreign, WeightsDetermineTheRankOfAConvolution) {
  const Graph graph{{node("Weave", {}, {"x"}), node("Conv", {"x", "w"}, {"y"}), node("Identity", {"y"}, {"z"})},
                    {value_info("w", Dtype::float32, {8, 3, 3, 3})},
                    {}};
  EXPECT_EQ(sizes_of(graph), "? 8 ? ?");
}

TEST(Foreign, OfOthers) {
  EXPECT_EQ(sizes("NonMaxSuppression", {{1, "n", 4}, {1, 1, "n"}}), "? 3");
  EXPECT_EQ(sizes("RoiAlign", {{"n", 3, 8, 8}, {"r", 4}, {"r"}}, {int_of("output_height", 7)}), "r 3 7 1");
  EXPECT_EQ(sizes("GridSample", {{"n", 3, 8, 8}, {"n", "h", "w", 2}}), "n 3 h w");
  EXPECT_EQ(sizes("RandomNormal", {}, {ints_of("shape", {2, 3})}), "2 3");
  EXPECT_EQ(sizes("NegativeLogLikelihoodLoss", {{"n", 5}, {"n"}}), "");
  EXPECT_EQ(sizes("NegativeLogLikelihoodLoss", {{"n", 5}, {"n"}}, {text_of("reduction", "none")}), "n");
  EXPECT_EQ(sizes("DecoderMaskedMultiHeadAttention", {{"b", 1, 8}}, {}, 17, 2, "com.microsoft"), "? ? ? ?");
  EXPECT_EQ(sizes("TreeEnsembleClassifier", {{"n", 5}}, {}, 17, 2, "ai.onnx.ml"), "n ?");
}

TEST(Foreign, AnAttributeOfAFunctionReachesTheRule) {
  const Proto reference = Proto().string(1, "axes").string(21, "ours").varint(20, 7);
  Proto function = Proto().string(1, "Averages").string(4, "v").string(5, "w");
  function.message(7, node("ReduceMean", {"v"}, {"w"}, {reference})).message(9, test::opset_import(17)).string(10, "own");
  const Graph graph{{node("Averages", {"x"}, {"y"}, {ints_of("ours", {0})}, "", "own")},
                    {value_info("x", Dtype::float32, {2, 3})},
                    {value_info("y", Dtype::float32)}};
  const std::string file = test::model(graph, 17) + Proto().message(25, function).bytes();
  const test::ModelPtr model = must(read_model(file, {Unsupported::allowed}));
  ShapeInference inference(*model);
  ASSERT_TRUE(inference.run());
  EXPECT_EQ(sizes_of(*model, inference, *test::records(model->graph->nodes).back()->outputs[0]), "1 3");
}

TEST(Foreign, TypesFollowWhereTheyAreKnown) {
  const auto type_of = [](const Proto& made, const std::vector<Proto>& outputs = {}) {
    const Graph graph{{made}, {value_info("x", Dtype::float16, {2}), value_info("i", Dtype::int8, {2})}, outputs};
    const test::ModelPtr model = must(read_model(test::model(graph, 19), {Unsupported::allowed}));
    return test::records(model->graph->nodes)[0]->outputs[0]->dtype;
  };
  EXPECT_EQ(type_of(node("TensorScatter", {"x"}, {"y"})), Dtype::float16);
  EXPECT_EQ(type_of(node("QuantizeLinear", {"x", "x"}, {"y"})), Dtype::uint8);
  EXPECT_EQ(type_of(node("QuantizeLinear", {"x", "x", "i"}, {"y"})), Dtype::int8);
  EXPECT_EQ(type_of(node("DequantizeLinear", {"i", "x"}, {"y"})), Dtype::float16);
  EXPECT_EQ(type_of(node("RandomNormalLike", {"x"}, {"y"}, {int_of("dtype", 11)})), Dtype::float64);
  EXPECT_EQ(type_of(node("RandomNormalLike", {"x"}, {"y"}, {int_of("dtype", -7)})), Dtype::undefined);
  // The file's declaration of an unchecked node is used.
  EXPECT_EQ(type_of(node("TensorScatter", {"x"}, {"y"}), {value_info("y", Dtype::float32)}), Dtype::float32);
}

// Nodes of any operator with a rule: any number of inputs and outputs, of any rank and size, and attributes with the names
// that rules read, of any type and value.
class Nonsense {
 public:
  explicit Nonsense(Random& random) : random_(random) {}

  std::string make(const std::string& domain, const std::string& op) {
    Graph graph;
    test::Names names;
    for (std::int64_t count = random_.between(0, 9); count > 0; --count) {
      const std::string name = "x" + std::to_string(count);
      names.push_back(random_.one_in(6) ? "" : name);
      if (random_.one_in(4)) {
        test::List values(static_cast<std::size_t>(random_.between(0, 5)));
        for (std::int64_t& value : values) value = number();
        graph.initializers.push_back(int64_tensor({static_cast<std::int64_t>(values.size())}, values, name));
      } else if (random_.one_in(8)) {
        graph.inputs.push_back(value_info(name, Dtype::float32));
      } else {
        Shape shape;
        for (std::int64_t rank = random_.one_in(20) ? random_.between(30, 255) : random_.between(0, 5); rank > 0; --rank) {
          shape.push_back(random_.one_in(3) ? test::Size("n") : test::Size(static_cast<int>(random_.between(0, INT32_MAX))));
        }
        graph.inputs.push_back(value_info(name, Dtype::float32, shape));
      }
    }
    test::Names outputs;
    for (std::int64_t count = random_.between(0, 5); count > 0; --count) {
      outputs.push_back(random_.one_in(6) ? "" : "y" + std::to_string(count));
    }
    std::vector<Proto> attributes;
    for (std::int64_t count = random_.between(0, 4); count > 0; --count) attributes.push_back(attribute());
    graph.nodes = {node(op, names, outputs, attributes, "", domain)};
    return test::model(graph, random_.between(1, 28));
  }

 private:
  std::int64_t number() {
    static constexpr std::int64_t extremes[] = {
        0,     -1, 1,  2, INT64_MAX, INT64_MIN, unknown_size.word(), unknown_size.word() - 1, INT32_MAX, INT32_MIN,
        65535, 3,  -2, 7, 4,         255};
    return extremes[random_.below(std::size(extremes))];
  }

  Proto attribute() {
    static const char* const names[] = {"axis",           "axes",         "keepdims",
                                        "kernel_shape",   "pads",         "strides",
                                        "dilations",      "group",        "auto_pad",
                                        "ceil_mode",      "output_shape", "equation",
                                        "scales",         "direction",    "hidden_size",
                                        "shape",          "dtype",        "transA",
                                        "q_num_heads",    "kv_num_heads", "reduction",
                                        "onesided",       "inverse",      "N",
                                        "ngram_indexes",  "height_scale", "layout",
                                        "output_padding", "num_heads",    "qkv_hidden_sizes",
                                        "pooled_shape",   "sample_size",  ""};
    static const char* const texts[] = {"SAME_UPPER", "VALID", "none", "ij,jk->ik", "...i,->...", "a->bbb", "\xFF\xFE", ""};
    const std::string name = names[random_.below(std::size(names))];
    switch (random_.between(0, 7)) {
      case 0: return text_of(name, texts[random_.below(std::size(texts))]);
      case 1: return test::attribute(name, AttributeType::FLOAT);
      case 2: return test::attribute(name, AttributeType::TENSOR);
      case 3: return Proto().string(1, name).varint(3, number());  // without a type
      case 4: return int_of(name, number()).varint(3, number());
      case 5: return int_of(name, number());
      default: {
        test::List values(static_cast<std::size_t>(random_.one_in(10) ? random_.between(0, 300) : random_.between(0, 5)));
        for (std::int64_t& value : values) value = number();
        return ints_of(name, values);
      }
    }
  }

  Random& random_;
};

TEST(Foreign, NothingThatANodeHasMakesThemFail) {
  Random random;
  Nonsense nonsense(random);
  std::set<std::string> names;
  for (int i = 0; i < std::max(2 * test::cases(), 4000); ++i) {
    // Random choices cover all rules.
    const Operator& one = *foreign_operators()[random.below(foreign_operators().size())];
    const std::string domain(one.domain);
    const std::string op(one.name);
    names.insert(domain + op);
    const auto model = read_model(nonsense.make(domain, op), {Unsupported::allowed});
    if (!model) {
      // Only tensors and texts of unsupported nodes are checked, and these are valid.
      ADD_FAILURE() << op << ": " << model.error()->message.view();
      return;
    }
    ShapeInference inference(**model);
    ASSERT_TRUE(inference.run());
    for (const Value* value : test::records((*model)->graph->nodes)[0]->outputs) {
      if (value == nullptr || !inference[*value].is_ranked()) continue;
      for (const Size size : inference[*value].dims()) EXPECT_FALSE(size.is_negative()) << op;
    }
  }
  EXPECT_EQ(names.size(), foreign_operators().size());
}

}  // namespace
}  // namespace broadloom::foreign_test
