// AttributeProto in the nodes of a model.
#include "support/models.h"

namespace broadloom::test::attribute_proto_test {
namespace {

using enum AttributeType;

Tensor constant_of(const Proto& proto, std::int64_t opset = 25) { return run_one(one_constant({proto}), {}, opset); }

testing::AssertionResult refuses_constant(const std::vector<Proto>& attributes, std::string_view part,
                                          std::int64_t opset = 25) {
  return test::refuses(one_constant(attributes), Code::InvalidModel, part, opset);
}

TEST(AttributeProto, TensorsAreRead) {
  EXPECT_EQ(elements<float>(constant_of(tensor_of_attribute("value", float_tensor({2}, {1, 2})))), (std::vector<float>{1, 2}));
}

TEST(AttributeProto, IntsFloatsAndStringsAreRead) {
  EXPECT_EQ(elements<std::int64_t>(constant_of(int_of("value_int", INT64_MIN))), List{INT64_MIN});
  EXPECT_EQ(elements<float>(constant_of(attribute("value_float", FLOAT).fixed(2, -1.5F))), std::vector<float>{-1.5F});
  EXPECT_EQ(test::string_elements(constant_of(attribute("value_string", STRING).string(4, "text"))),
            std::vector<std::string>{"text"});
}

TEST(AttributeProto, ListsAreReadPackedAndUnpacked) {
  EXPECT_EQ(elements<std::int64_t>(constant_of(attribute("value_ints", INTS).varints(8, {1, -2, 3}))), (List{1, -2, 3}));
  EXPECT_EQ(elements<std::int64_t>(constant_of(attribute("value_ints", INTS).packed_varints(8, {1, -2, 3}))), (List{1, -2, 3}));
  const std::vector<float> reals{1, -2.5F};
  EXPECT_EQ(elements<float>(constant_of(attribute("value_floats", FLOATS).packed_fixed(7, reals))), reals);
  EXPECT_EQ(elements<float>(constant_of(attribute("value_floats", FLOATS).fixed(7, 1.0F).fixed(7, -2.5F))), reals);
  EXPECT_EQ(test::string_elements(constant_of(attribute("value_strings", STRINGS).string(9, "a").string(9, ""))),
            (std::vector<std::string>{"a", ""}));
}

TEST(AttributeProto, ListsMayBeEmpty) {
  for (const auto& [name, type] : {std::pair{"value_ints", INTS}, {"value_floats", FLOATS}, {"value_strings", STRINGS}}) {
    EXPECT_EQ(list(constant_of(attribute(name, type)).dims()), List{0}) << name;
  }
}

TEST(AttributeProto, EmptyStringsThatAreWrittenAreValues) {
  EXPECT_EQ(test::string_elements(constant_of(attribute("value_string", STRING).string(4, ""))), std::vector<std::string>{""});
}

TEST(AttributeProto, SparseTensorsAreReadWithBothKindsOfIndices) {
  const auto sparse = [](const Proto& indices) {
    const Proto tensor = Proto().message(1, float_tensor({2}, {5, 6})).message(2, indices).packed_varints(3, {2, 2});
    return attribute("sparse_value", SPARSE_TENSOR).message(22, tensor);
  };
  const std::vector<float> expected{0, 5, 6, 0};
  EXPECT_EQ(elements<float>(constant_of(sparse(int64_tensor({2}, {1, 2})))), expected);
  EXPECT_EQ(elements<float>(constant_of(sparse(int64_tensor({2, 2}, {0, 1, 1, 0})))), expected);
  EXPECT_EQ(elements<float>(constant_of(sparse(int64_tensor({2}, {1, 2})), 11)), expected);
}

TEST(AttributeProto, FieldsMayComeInAnyOrder) {
  EXPECT_EQ(elements<std::int64_t>(constant_of(Proto().varint(3, 7).varint(20, 2).string(1, "value_int"))), List{7});
}

TEST(AttributeProto, DocStringsAreSkipped) {
  EXPECT_EQ(elements<std::int64_t>(constant_of(int_of("value_int", 7).string(13, "doc"))), List{7});
}

TEST(AttributeProto, AnIntWithoutANumberIsZeroForShape) {
  const test::Graph graph{{test::node("Shape", {"x"}, {"y"}, {attribute("end", INT)})},
                          {test::value_info("x", Dtype::float32)},
                          {test::value_info("y", Dtype::int64)}};
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"x", test::floats({2}, {1, 2})}})), List{});
}

TEST(AttributeProto, ScalarsOfAConstantWithoutAValueAreRefused) {
  for (const auto& [name, type] : {std::pair{"value_int", INT}, {"value_float", FLOAT}, {"value_string", STRING}}) {
    EXPECT_TRUE(refuses_constant({attribute(name, type)}, "has no value")) << name;
  }
}

TEST(AttributeProto, OneWithoutANameIsRefused) {
  EXPECT_TRUE(refuses_constant({Proto().varint(20, 2).varint(3, 1)}, "an attribute without a name"));
}

TEST(AttributeProto, OneWithoutATypeIsRefused) {
  EXPECT_TRUE(refuses_constant({Proto().string(1, "value_int").varint(3, 1)}, "'value_int' has type 0, which is not a type"));
}

TEST(AttributeProto, InvalidTypesAreRefused) {
  for (const std::int64_t type : {0, 15, 100, -1}) {
    EXPECT_TRUE(refuses_constant({Proto().string(1, "value_int").varint(3, 1).varint(20, type)}, "which is not a type"))
        << type;
  }
}

TEST(AttributeProto, AValueOfAnotherTypeThanDeclaredIsRefused) {
  EXPECT_TRUE(refuses_constant({attribute("value_int", INT).fixed(2, 1.0F)}, "is declared as INT but holds FLOAT"));
  EXPECT_TRUE(refuses_constant({attribute("value", TENSOR).varint(3, 1)}, "is declared as TENSOR but holds INT"));
  EXPECT_TRUE(refuses_constant({attribute("value_ints", INTS).varint(3, 1)}, "is declared as INTS but holds INT"));
  EXPECT_TRUE(refuses_constant({attribute("value_strings", STRINGS).string(4, "x")}, "but holds STRING"));
}

TEST(AttributeProto, TwoValueFieldsAreRefused) {
  EXPECT_TRUE(refuses_constant({int_of("value_int", 1).fixed(2, 1.0F)}, "'value_int' has more than one value"));
  EXPECT_TRUE(refuses_constant({attribute("value_ints", INTS).varint(8, 1).fixed(7, 1.0F)}, "more than one value"));
}

TEST(AttributeProto, ATensorAttributeWithoutATensorIsRefused) {
  EXPECT_TRUE(refuses_constant({attribute("value", TENSOR)}, "no tensor"));
  EXPECT_TRUE(refuses_constant({attribute("sparse_value", SPARSE_TENSOR)}, "no tensor"));
}

TEST(AttributeProto, ASparseTensorWithoutValuesIsRefused) {
  EXPECT_TRUE(
      refuses_constant({attribute("sparse_value", SPARSE_TENSOR).message(22, Proto().varint(3, 2))}, "values are missing"));
}

TEST(AttributeProto, SparseTensorsThatDoNotFitTogetherAreRefused) {
  const auto sparse = [](const Proto& values, const Proto& indices, const List& dims) {
    return attribute("sparse_value", SPARSE_TENSOR)
        .message(22, Proto().message(1, values).message(2, indices).packed_varints(3, dims));
  };
  const Proto one = float_tensor({1}, {5});
  EXPECT_TRUE(refuses_constant({sparse(one, int64_tensor({1}, {4}), {2, 2})}, "outside 0 to 3"));
  EXPECT_TRUE(refuses_constant({sparse(one, int64_tensor({1}, {0}), {})}, "at least one axis"));
  EXPECT_TRUE(refuses_constant({sparse(one, int64_tensor({1}, {0}), {0})}, "below 1"));
  EXPECT_TRUE(refuses_constant({sparse(float_tensor({1, 1}, {5}), int64_tensor({1}, {0}), {2})}, "wanted one axis"));
  EXPECT_TRUE(refuses_constant({sparse(one, float_tensor({1}, {0}), {2})}, "indices are float32"));
  EXPECT_TRUE(refuses_constant({sparse(float_tensor({2}, {5, 6}), int64_tensor({2}, {1, 0}), {2})}, "strictly ascending"));
}

TEST(AttributeProto, ATensorThatIsWrongIsRefusedWithItsPlace) {
  EXPECT_TRUE(refuses_constant({tensor_of_attribute("value", float_tensor({2}, {1}))}, "graph.node[0].attribute[0].t"));
}

TEST(AttributeProto, ReferencesToAFunctionsAttributesAreRefused) {
  EXPECT_TRUE(refuses_constant({int_of("value_int", 1).string(21, "other")}, "ref_attr_name"));
}

TEST(AttributeProto, StringsThatAreNotUtf8AreRefused) {
  EXPECT_TRUE(refuses_constant({attribute("value_string", STRING).string(4, "\xFF")}, "not UTF-8"));
  EXPECT_TRUE(refuses_constant({attribute("value_strings", STRINGS).string(9, "ok").string(9, "\xC0\x80")}, "not UTF-8"));
}

TEST(AttributeProto, NamesThatAreNotUtf8AreRefused) { EXPECT_TRUE(refuses_constant({int_of("\xFF", 1)}, "not UTF-8")); }

TEST(AttributeProto, OnesThatTheVersionDoesNotDeclareAreRefused) {
  EXPECT_TRUE(refuses_constant({int_of("value_integer", 1)}, "no attribute 'value_integer'"));
  EXPECT_TRUE(refuses_constant({int_of("value_int", 1)}, "it came with Constant-12", 11));
}

TEST(AttributeProto, AttributesOfAnotherTypeThanTheOperatorsAreRefused) {
  EXPECT_TRUE(refuses_constant({attribute("value_int", FLOAT).fixed(2, 1.0F)}, "attribute 'value_int' is FLOAT, wanted INT"));
  EXPECT_TRUE(refuses_constant({attribute("value", GRAPH).string(6, "")}, "attribute 'value' is GRAPH, wanted TENSOR"));
}

TEST(AttributeProto, TheSameNameTwiceIsRefused) {
  EXPECT_TRUE(refuses_constant({int_of("value_int", 1), int_of("value_int", 1)}, "'value_int' is given twice"));
}

TEST(AttributeProto, TwoValuesOfAConstantAreRefused) {
  EXPECT_TRUE(refuses_constant({int_of("value_int", 1), attribute("value_float", FLOAT).fixed(2, 1.0F)}, "exactly one"));
  EXPECT_TRUE(refuses_constant({}, "exactly one"));
}

TEST(AttributeProto, NamesWithTwoUnderscoresAreSkipped) {
  const test::Graph graph = one_constant({int_of("value_int", 7), int_of("__line", 3), attribute("__g", GRAPH).string(6, "")});
  EXPECT_EQ(elements<std::int64_t>(run_one(graph)), List{7});
}

}  // namespace
}  // namespace broadloom::test::attribute_proto_test
