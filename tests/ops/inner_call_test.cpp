// Calls of one operator by another, and the operators that take the name of one.
#include "ops/call/inner_call.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/text.h"
#include "ops/operators.h"
#include "ops/packed_operands.h"
#include "support/calls.h"

namespace broadloom::op {
extern const Operator cast, gemm, gru, identity, is_nan, lstm, mat_mul, relu, rnn, sigmoid, softmax;
}
namespace broadloom::op::microsoft {
extern const Operator fused_conv, fused_gemm;
}

namespace broadloom::test::inner_call_test {
namespace {

namespace ms = op::microsoft;

// A call of Identity, as the outer one.
struct Outer {
  Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor* inputs[1] = {&x};
  Attributes attributes;
  Dtype type = Dtype::float32;
  Tensor y;
  Call call{op::identity.versions.back(), inputs, attributes, {&type, 1}, {&y, 1}};

  Status check(const Operator& op, std::span<const Tensor* const> its_inputs, Dtype its_type,
               std::int64_t opset = newest_opset) {
    return InnerCall(call, op, its_inputs, {&its_type, 1}, {&y, 1}, attributes, opset).check();
  }
};

TEST(InnerCall, IsCheckedAsANodeIs) {
  Outer outer;
  const Tensor whole = tensor_of<std::int32_t>(Dtype::int32, {2}, {1, 2});
  const Tensor* const two[] = {&outer.x, &outer.x};
  const Tensor* const wholes[] = {&whole};
  EXPECT_TRUE(outer.check(op::relu, outer.inputs, Dtype::float32));
  EXPECT_TRUE(outer.check(op::relu, wholes, Dtype::int32));
  EXPECT_TRUE(fails(outer.check(op::relu, wholes, Dtype::int32, 13), Code::UnsupportedType,
                    "Relu-13: input 'X' cannot be int32; Relu-14 (opset 14) allows it"));
  EXPECT_TRUE(fails(outer.check(op::sigmoid, wholes, Dtype::int32), Code::UnsupportedType,
                    "Sigmoid-13: input 'X' cannot be int32; no version of Sigmoid allows it"));
  EXPECT_TRUE(fails(outer.check(op::relu, two, Dtype::float32), Code::InvalidArgument, "Relu-14: takes 1 input, got 2"));
  EXPECT_TRUE(fails(outer.check(op::is_nan, outer.inputs, Dtype::float32), Code::UnsupportedType,
                    "IsNaN-20: gives bool, wanted float32"));
  EXPECT_TRUE(fails(outer.check(op::cast, outer.inputs, Dtype::float32), Code::InvalidArgument, "attribute 'to' is missing"));
}

TEST(InnerCall, RefusesAnAttributeOfAnotherType) {
  Outer outer;
  constexpr AttributeSpec axis{"axis", AttributeType::FLOAT};
  constexpr AttributeSpec own{"its_own", AttributeType::FLOAT};
  outer.attributes.add(own).number = 1;
  EXPECT_TRUE(outer.check(op::softmax, outer.inputs, Dtype::float32));
  outer.attributes.add(axis).number = 1;
  EXPECT_TRUE(fails(outer.check(op::softmax, outer.inputs, Dtype::float32), Code::InvalidArgument,
                    "Softmax-13: attribute 'axis' is FLOAT, wanted INT"));
}

TEST(InnerCall, EachMethodChecks) {
  Outer outer;
  const Tensor whole = tensor_of<std::int32_t>(Dtype::int32, {2}, {1, 2});
  const Tensor* const wholes[] = {&whole};
  const Dtype type = Dtype::int32;
  InnerCall call(outer.call, op::sigmoid, wholes, {&type, 1}, {&outer.y, 1}, outer.attributes);
  const auto is_refused = [](const Status& status) { return fails(status, Code::UnsupportedType, "cannot be int32"); };
  EXPECT_TRUE(is_refused(call.prepare()));
  EXPECT_TRUE(is_refused(call.compute()));
  PackedOperands packed;
  const InnerCall product(outer.call, op::mat_mul, wholes, {&type, 1}, {&outer.y, 1}, outer.attributes);
  EXPECT_TRUE(fails(product.ready(&packed), Code::InvalidArgument, "takes 2 inputs, got 1"));
  Program program;
  const Program::Value value = program.operand(type, whole.data(), whole.layout);
  EXPECT_TRUE(fails(call.elements(program, {&value, 1}), Code::UnsupportedType, "cannot be int32"));
  EXPECT_FALSE(outer.y.has_elements());
}

// ---- Operators that take an activation's name ----

std::vector<std::string> all_names() {
  std::vector<std::string> names = {"Nothing", "relu", "Relu ", "com.microsoft.Gelu", "QuickGelu"};
  for (const Operator* op : all_operators()) names.emplace_back(op->name);
  for (const Operator* op : microsoft_operators()) names.emplace_back(op->name);
  return names;
}

Given word(std::string_view name, std::string_view value) {
  return {name, AttributeType::STRING, strings({}, {std::string(value)})};
}

Tensor small_numbers(Dtype dtype, const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 5);
  return must(call(op::cast, {&static_cast<const Tensor&>(floats(dims_of(dims), numbers))},
                   {int_attribute("to", static_cast<std::int64_t>(dtype))}));
}

std::vector<Dtype> types_of(TypeSet set) {
  std::vector<Dtype> types;
  for (int id = 1; id <= dtype_count; ++id) {
    if (set.contains(static_cast<Dtype>(id))) types.push_back(static_cast<Dtype>(id));
  }
  return types;
}

TEST(FusedGemm, AppliesAnOperatorThatMapsTheTypeToItselfAndRefusesAllOthers) {
  std::set<std::string> applied;
  for (const Dtype dtype : types_of(ms::fused_gemm.versions[0].types[0])) {
    const Tensor a = small_numbers(dtype, {2, 3});
    const Tensor b = small_numbers(dtype, {3, 2});
    const Tensor product = must(call(op::gemm, {&a, &b}));
    for (const std::string& name : all_names()) {
      const Operator* op = find_operator("", name);
      const bool is_elementwise = op != nullptr && op->is_elementwise() && op->versions.back().inputs().size() == 1;
      const Result<Tensor> alone = is_elementwise ? call(*op, {&product}) : Result<Tensor>(product);
      const std::string why = alone ? "" : std::string(alone.error()->message.view());
      Error::forget();
      const Result<Tensor> fused = call(ms::fused_gemm, {&a, &b}, {word("activation", name)});
      if (!is_elementwise) {
        EXPECT_TRUE(fails(fused, Code::InvalidArgument, "com.microsoft.FusedGemm-1: activation is ")) << name;
        continue;
      }
      if (!alone) {
        EXPECT_FALSE(fused) << name;
        EXPECT_NE(fused ? std::string_view::npos : fused.error()->message.view().find(why), std::string_view::npos)
            << name << " of " << info(dtype).name;
        Error::forget();
      } else if (alone->dtype != dtype) {
        EXPECT_TRUE(fails(fused, Code::UnsupportedType, "wanted")) << name << " of " << info(dtype).name;
      } else if (fused) {
        EXPECT_EQ(bytes_of(*fused), bytes_of(*alone)) << name << " of " << info(dtype).name;
        applied.insert(name);
      } else {
        EXPECT_TRUE(succeeds(fused)) << name << " of " << info(dtype).name;
        Error::forget();
      }
    }
  }
  for (const char* name : {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Elu", "HardSigmoid", "Softplus", "ThresholdedRelu"}) {
    EXPECT_TRUE(applied.contains(name)) << name;
  }
}

TEST(FusedConv, RefusesAllButItsSixActivations) {
  constexpr std::string_view own[] = {"Clip", "HardSigmoid", "LeakyRelu", "Relu", "Sigmoid", "Tanh"};
  for (const Dtype dtype : types_of(ms::fused_conv.versions[0].types[0])) {
    const Tensor x = small_numbers(dtype, {1, 1, 3});
    const Tensor w = small_numbers(dtype, {1, 1, 2});
    for (const std::string& name : all_names()) {
      if (std::find(std::begin(own), std::end(own), name) != std::end(own)) continue;
      EXPECT_TRUE(fails(call(ms::fused_conv, {&x, &w}, {word("activation", name)}), Code::InvalidArgument,
                        "com.microsoft.FusedConv-1: activation is "));
    }
  }
}

TEST(Recurrent, RefusesTheNamesOfOperatorsThatAreNoActivations) {
  constexpr std::string_view own[] = {"Affine",     "Elu",     "HardSigmoid", "LeakyRelu", "Relu", "relu",
                                      "ScaledTanh", "Sigmoid", "Softplus",    "Softsign",  "Tanh", "ThresholdedRelu"};
  struct Layer {
    const Operator& op;
    std::int64_t gates;
    std::size_t activations;
  };
  const Layer layers[] = {{op::rnn, 1, 1}, {op::gru, 3, 2}, {op::lstm, 4, 3}};
  for (const auto& [op, gates, activations] : layers) {
    for (const Dtype dtype : types_of(op.versions.back().types[0])) {
      const Tensor x = small_numbers(dtype, {1, 1, 2});
      const Tensor w = small_numbers(dtype, {1, gates, 2});
      const Tensor r = small_numbers(dtype, {1, gates, 1});
      for (const std::string& name : all_names()) {
        if (std::find(std::begin(own), std::end(own), name) != std::end(own)) continue;
        const std::vector<std::string> names(activations, name);
        const Given given{"activations", AttributeType::STRINGS, strings({static_cast<std::int64_t>(activations)}, names)};
        EXPECT_TRUE(fails(call(op, {&x, &w, &r}, {given, int_attribute("hidden_size", 1)}), Code::InvalidArgument,
                          "which is not an activation function"))
            << op.name << " " << name;
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::inner_call_test
