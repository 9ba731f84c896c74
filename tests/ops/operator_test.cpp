// Rules for all operators: versions, attributes, arity and types.
#include "ops/call/operator.h"

#include <algorithm>
#include <set>

#include "ops/operators.h"
#include "support/calls.h"
#include "support/type_table.h"

namespace broadloom::op {
extern const Operator clip, constant, constant_of_shape, expand, identity, reduce_sum, shape;
}

namespace broadloom::test::operator_test {
namespace {

std::vector<std::int64_t> versions_of(const Operator& op) {
  std::vector<std::int64_t> versions;
  for (const OperatorVersion& version : op.versions) versions.push_back(version.since_version);
  return versions;
}

TEST(Operators, AreListedInAlphabeticalOrderAndFoundByName) {
  std::string_view previous;
  for (const Operator* op : all_operators()) {
    EXPECT_LT(previous, op->name);
    EXPECT_EQ(find_operator("", op->name), op);
    previous = op->name;
  }
  for (const Operator* op : {&constant, &constant_of_shape, &expand, &identity, &shape}) {
    EXPECT_EQ(find_operator("", op->name), op);
  }
  for (const std::string_view name : {"", "expand", "Expand ", "ExpandX", "Nonsense"}) {
    EXPECT_EQ(find_operator("", name), nullptr) << name;
  }
}

TEST(Operators, HaveTheVersionsOfOnnx) {
  using Versions = std::vector<std::int64_t>;
  EXPECT_EQ(versions_of(constant), (Versions{1, 9, 11, 12, 13, 19, 21, 23, 24, 25}));
  EXPECT_EQ(versions_of(constant_of_shape), (Versions{9, 20, 21, 23, 24, 25}));
  EXPECT_EQ(versions_of(shape), (Versions{1, 13, 15, 19, 21, 23, 24, 25}));
  EXPECT_EQ(versions_of(expand), (Versions{8, 13}));
  EXPECT_EQ(versions_of(identity), (Versions{1, 13, 14, 16, 19, 21, 23, 24, 25}));
}

// So a type variable that a signature forgets is found.
TEST(Operators, AllowTypesForEveryParameterAndVariable) {
  for (const Operator* op : all_operators()) {
    for (const OperatorVersion& version : op->versions) {
      for (const std::span<const Parameter> parameters : {version.inputs(), version.outputs()}) {
        for (const Parameter& parameter : parameters) {
          const auto& variables = version.signature->variables;
          EXPECT_TRUE(parameter.variable == TypeVariable::none ||
                      std::find(variables.begin(), variables.end(), parameter.variable) != variables.end())
              << op->name << " " << version.since_version << " " << parameter.name;
          EXPECT_NE(version.types_of(parameter).bits(), 0U) << op->name << " " << parameter.name;
        }
      }
    }
  }
}

TEST(Operators, ListNoMoreOutputsThanMemoryIsAskedForBeforehand) {
  for (const Operator* op : all_operators()) {
    for (const OperatorVersion& version : op->versions) EXPECT_LE(version.outputs().size(), most_listed_outputs) << op->name;
    EXPECT_LE(op->type_sources.size(), most_listed_outputs) << op->name;
  }
}

TEST(SelectVersion, SelectsTheNewestVersionNotAboveTheOpset) {
  for (const Operator* op : all_operators()) {
    for (std::int64_t opset = 1; opset <= 40; ++opset) {
      std::int64_t expected = 0;
      for (const std::int64_t version : versions_of(*op)) expected = version <= opset ? version : expected;
      const auto selected = select_version(*op, opset);
      if (expected == 0) {
        EXPECT_TRUE(fails(selected, Code::UnknownOperator, op->name)) << opset;
      } else {
        EXPECT_EQ(must(selected)->since_version, expected) << op->name << " " << opset;
      }
    }
    EXPECT_EQ(must(select_version(*op, INT64_MAX))->since_version, versions_of(*op).back());
  }
}

TEST(SelectVersion, AnOpsetBeforeTheFirstVersionIsRefusedWithBoth) {
  const auto selected = select_version(constant_of_shape, 8);
  ASSERT_TRUE(fails(selected, Code::UnknownOperator, "not in opset 8; its first version is ConstantOfShape-9"));
  EXPECT_EQ(selected.error()->op.view(), "ConstantOfShape");
  EXPECT_EQ(selected.error()->opset, 8);
  EXPECT_TRUE(fails(select_version(expand, 7), Code::UnknownOperator, "Expand-8"));
  EXPECT_TRUE(fails(select_version(shape, 0), Code::UnknownOperator, "Shape-1"));
  EXPECT_TRUE(fails(select_version(shape, -5), Code::UnknownOperator, "Shape-1"));
}

TEST(AdmitAttribute, OnesThatTheVersionDoesNotDeclareAreRefused) {
  const Tensor x = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(shape, {&x}, {int_attribute("begin", 1)}), Code::InvalidArgument, "no attribute 'begin'"));
  EXPECT_TRUE(fails(call(shape, {&x}, {int_attribute("", 1)}), Code::InvalidArgument, "no attribute ''"));
  EXPECT_TRUE(fails(call(identity, {&x}, {int_attribute("axis", 1)}), Code::InvalidArgument, "no attribute 'axis'"));
}

TEST(AdmitAttribute, AttributesOfALaterVersionAreRefusedWithThatVersion) {
  const Tensor x = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(shape, {&x}, {int_attribute("start", 1)}, 14), Code::InvalidArgument,
                    "Shape-13: no attribute 'start'; it came with Shape-15"));
  EXPECT_TRUE(fails(call(reduce_sum, {&x}, {int_attribute("axes", 1)}), Code::InvalidArgument,
                    "ReduceSum-13: no attribute 'axes': ReduceSum-13 takes it as an input, after 'data'"));
  EXPECT_TRUE(fails(call(constant, {}, {int_attribute("value_int", 1)}, 11), Code::InvalidArgument, "Constant-12"));
  EXPECT_TRUE(fails(call(constant, {}, {{"sparse_value", AttributeType::SPARSE_TENSOR, SparseTensor{}}}, 10),
                    Code::InvalidArgument, "Constant-11"));
}

TEST(AdmitAttribute, AnotherTypeThanDeclaredIsRefusedWithBoth) {
  const Tensor x = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(shape, {&x}, {{"start", AttributeType::FLOAT, 1.0F}}), Code::InvalidArgument,
                    "attribute 'start' is FLOAT, wanted INT"));
  EXPECT_TRUE(fails(call(constant, {}, {{"value", AttributeType::INT, std::int64_t{1}}}), Code::InvalidArgument,
                    "attribute 'value' is INT, wanted TENSOR"));
  EXPECT_TRUE(fails(call(constant, {}, {{"value_ints", AttributeType::FLOATS, x}}), Code::InvalidArgument, "wanted INTS"));
}

TEST(AdmitAttribute, TheSameNameTwiceIsRefused) {
  const Tensor x = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(shape, {&x}, {int_attribute("start", 1), int_attribute("start", 1)}), Code::InvalidArgument,
                    "attribute 'start' is given twice"));
}

TEST(AdmitAttribute, NamesWithTwoUnderscoresMeanNothing) {
  const Tensor x = floats({2, 3}, std::vector<float>(6));
  const Tensor result = must(call(shape, {&x}, {int_attribute("__start", 1), {"__x", AttributeType::GRAPH, {}}}));
  EXPECT_EQ(elements<std::int64_t>(result), (List{2, 3}));
  EXPECT_TRUE(fails(call(shape, {&x}, {int_attribute("_start", 1)}), Code::InvalidArgument, "_start"));
}

TEST(CheckCall, ARequiredAttributeThatIsMissingIsRefused) {
  for (const std::int64_t opset : {1, 9, 10}) {
    EXPECT_TRUE(fails(call(constant, {}, {}, opset), Code::InvalidArgument, "attribute 'value' is missing")) << opset;
  }
}

TEST(CheckCall, TheWrongNumberOfInputsIsRefused) {
  const Tensor x = floats({1}, {1});
  const Tensor dims = shape_of({1});
  EXPECT_TRUE(fails(call(constant, {&x}, {int_attribute("value_int", 1)}), Code::InvalidArgument, "takes 0 inputs, got 1"));
  EXPECT_TRUE(fails(call(constant_of_shape, {}), Code::InvalidArgument, "takes 1 input, got 0"));
  EXPECT_TRUE(fails(call(constant_of_shape, {&dims, &dims}), Code::InvalidArgument, "takes 1 input, got 2"));
  EXPECT_TRUE(fails(call(shape, {}), Code::InvalidArgument, "takes 1 input, got 0"));
  EXPECT_TRUE(fails(call(shape, {&x, &x}), Code::InvalidArgument, "takes 1 input, got 2"));
  EXPECT_TRUE(fails(call(expand, {&x}), Code::InvalidArgument, "takes 2 inputs, got 1"));
  EXPECT_TRUE(fails(call(expand, {&x, &dims, &dims}), Code::InvalidArgument, "takes 2 inputs, got 3"));
  EXPECT_TRUE(fails(call(identity, {}), Code::InvalidArgument, "takes 1 input, got 0"));
}

TEST(CheckCall, TheWrongNumberOfOutputsIsRefused) {
  const Tensor x = floats({1}, {1});
  const Tensor dims = shape_of({1});
  for (const std::size_t outputs : {0U, 2U, 5U}) {
    EXPECT_TRUE(fails(call_all(constant, {}, {int_attribute("value_int", 1)}, {25, outputs}), Code::InvalidArgument, "output"));
    EXPECT_TRUE(fails(call_all(constant_of_shape, {&dims}, {}, {25, outputs}), Code::InvalidArgument, "output"));
    EXPECT_TRUE(fails(call_all(shape, {&x}, {}, {25, outputs}), Code::InvalidArgument, "output"));
    EXPECT_TRUE(fails(call_all(expand, {&x, &dims}, {}, {25, outputs}), Code::InvalidArgument, "output"));
    EXPECT_TRUE(fails(call_all(identity, {&x}, {}, {25, outputs}), Code::InvalidArgument, "output"));
  }
}

TEST(CheckCall, ARequiredInputThatIsLeftOutIsRefusedByName) {
  const Tensor x = floats({1}, {1});
  EXPECT_TRUE(fails(call(expand, {&x, nullptr}), Code::InvalidArgument, "input 1 ('shape') is missing"));
  EXPECT_TRUE(fails(call(expand, {nullptr, nullptr}), Code::InvalidArgument, "input 0 ('input') is missing"));
  EXPECT_TRUE(fails(call(shape, {nullptr}), Code::InvalidArgument, "input 0 ('data') is missing"));
}

TEST(CheckCall, ErrorsNameTheOperatorItsVersionAndTheOpset) {
  const Tensor x = floats({1}, {1});
  const auto result = call(expand, {&x}, {}, 12);
  ASSERT_TRUE(fails(result, Code::InvalidArgument, "Expand-8: takes 2 inputs"));
  EXPECT_EQ(result.error()->op.view(), "Expand");
  EXPECT_EQ(result.error()->opset, 12);
}

// Expects calls to be accepted exactly for the table's types, and refused with UNSUPPORTED_TYPE for others.
template <class Call>
void expect_types(const Operator& op, bool (*allows)(Dtype, std::int64_t), Call call_with) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    const Tensor one = zeros(dtype, {1});
    for (std::int64_t opset = op.versions.front().since_version; opset <= 28; ++opset) {
      const auto result = call_with(one, opset);
      if (allows(dtype, opset)) {
        EXPECT_TRUE(succeeds(result)) << info(dtype).name << " in opset " << opset;
      } else {
        EXPECT_TRUE(fails(result, Code::UnsupportedType, info(dtype).name)) << opset;
      }
    }
  }
}

TEST(CheckCall, ConstantAllowsTheTypesOfItsVersion) {
  expect_types(constant, constant_allows, [](const Tensor& one, std::int64_t opset) {
    return call(constant, {}, {tensor_attribute("value", one)}, opset);
  });
}

TEST(CheckCall, ConstantOfShapeAllowsTheTypesOfItsVersion) {
  const Tensor dims = shape_of({2});
  expect_types(constant_of_shape, constant_of_shape_allows, [&](const Tensor& one, std::int64_t opset) {
    return call(constant_of_shape, {&dims}, {tensor_attribute("value", one)}, opset);
  });
}

TEST(CheckCall, ShapeAllowsTheTypesOfItsVersion) {
  expect_types(shape, shape_allows, [](const Tensor& one, std::int64_t opset) { return call(shape, {&one}, {}, opset); });
}

TEST(CheckCall, IdentityAllowsTheTypesOfItsVersion) {
  expect_types(identity, shape_allows, [](const Tensor& one, std::int64_t opset) { return call(identity, {&one}, {}, opset); });
}

TEST(CheckCall, ExpandAllowsTheTypesOfItsVersion) {
  const Tensor dims = shape_of({2});
  expect_types(expand, expand_allows, [&](const Tensor& one, std::int64_t opset) {
    return call(expand, {&one, &dims}, {}, opset);
  });
}

TEST(CheckCall, ARefusedTypeNamesTheVersionThatAllowsIt) {
  const Tensor value = shape_of({1});
  EXPECT_TRUE(fails(call(constant, {}, {tensor_attribute("value", value)}, 8), Code::UnsupportedType,
                    "Constant-1: output 'output' cannot be int64; Constant-9 (opset 9) allows it"));
}

TEST(CheckCall, ATypeThatNoVersionAllowsIsRefusedWithThoseThatAre) {
  const Tensor x = zeros(Dtype::int4, {1});
  const Tensor dims = shape_of({1});
  EXPECT_TRUE(
      fails(call(expand, {&x, &dims}), Code::UnsupportedType, "no version of Expand allows it. Allowed: float32 uint8"));
}

TEST(NameOf, EveryAttributeTypeHasItsName) {
  std::set<std::string_view> names;
  for (int type = 0; type <= 14; ++type) names.insert(name_of(static_cast<AttributeType>(type)));
  EXPECT_EQ(names.size(), 15U);
  EXPECT_EQ(name_of(AttributeType::SPARSE_TENSOR), "SPARSE_TENSOR");
  EXPECT_EQ(name_of(AttributeType::TYPE_PROTOS), "TYPE_PROTOS");
}

TEST(CheckCall, OnlyInputsTooManyMayBeAttributesOfTheVersion) {
  const Tensor x = floats({1}, {1});
  EXPECT_TRUE(fails(call(clip, {&x, &x}, {}, 6), Code::InvalidArgument, "before Clip-11, 'min' is an attribute"));
  const auto none = call(clip, {}, {}, 6);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error()->message.view(), "Clip-6: takes 1 input, got 0");
  Error::forget();
}

}  // namespace
}  // namespace broadloom::test::operator_test
