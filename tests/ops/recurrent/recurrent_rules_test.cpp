// Facts of RNN, GRU and LSTM: sequences, attributes, dims and errors.
#include "support/before_run.h"

namespace broadloom::op {
extern const Operator gru, lstm, rnn;
}

namespace broadloom::test::recurrent_rules_test {
namespace {

Given text(std::string_view name, const char* value) { return {name, AttributeType::STRING, strings({}, {value})}; }
Given texts(const std::vector<std::string>& values) {
  return {"activations", AttributeType::STRINGS, strings({static_cast<std::int64_t>(values.size())}, values)};
}
Given numbers(std::string_view name, const std::vector<float>& values) {
  return {name, AttributeType::FLOATS, floats({static_cast<std::int64_t>(values.size())}, values)};
}
Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }

Tensor lengths_of(const std::vector<std::int32_t>& lengths) {
  return tensor_of(Dtype::int32, {static_cast<std::int64_t>(lengths.size())}, lengths);
}

// One unit whose state doubles: h = 2 h + x.
struct Doubling {
  Tensor x, w = floats({1, 1, 1}, {1}), r = floats({1, 1, 1}, {2});
  std::vector<Given> given{texts({"Affine"}), numbers("activation_alpha", {1}), numbers("activation_beta", {0})};
  explicit Doubling(const std::vector<float>& values) : x(floats({static_cast<std::int64_t>(values.size()), 1, 1}, values)) {}
  std::vector<const Tensor*> inputs(const Tensor* lengths = nullptr, const Tensor* state = nullptr) const {
    return {&x, &w, &r, nullptr, lengths, state};
  }
};

TEST(Recurrent, AStateIsThatOfTheStepBefore) {
  const Doubling layer({1, 10, 100});
  const std::vector<Tensor> forward = must(call_all(rnn, layer.inputs(), layer.given, {newest_opset, 2}));
  EXPECT_EQ(elements<float>(forward[0]), (std::vector<float>{1, 12, 124}));
  EXPECT_EQ(elements<float>(forward[1]), (std::vector<float>{124}));
  std::vector<Given> given = layer.given;
  given.push_back(text("direction", "reverse"));
  const std::vector<Tensor> reverse = must(call_all(rnn, layer.inputs(), given, {newest_opset, 2}));
  EXPECT_EQ(elements<float>(reverse[0]), (std::vector<float>{421, 210, 100}));
  EXPECT_EQ(elements<float>(reverse[1]), (std::vector<float>{421}));
}

TEST(Recurrent, BehindItsEndASequenceHasZerosAndKeepsItsState) {
  const Doubling layer({1, 10, 100});
  const Tensor two = lengths_of({2});
  const Tensor none = lengths_of({0});
  const Tensor state = floats({1, 1, 1}, {3});
  const std::vector<Tensor> forward = must(call_all(rnn, layer.inputs(&two), layer.given, {newest_opset, 2}));
  EXPECT_EQ(elements<float>(forward[0]), (std::vector<float>{1, 12, 0}));
  EXPECT_EQ(elements<float>(forward[1]), (std::vector<float>{12}));
  std::vector<Given> given = layer.given;
  given.push_back(text("direction", "reverse"));
  const std::vector<Tensor> reverse = must(call_all(rnn, layer.inputs(&two), given, {newest_opset, 2}));
  EXPECT_EQ(elements<float>(reverse[0]), (std::vector<float>{21, 10, 0}));
  EXPECT_EQ(elements<float>(reverse[1]), (std::vector<float>{21}));
  const std::vector<Tensor> empty = must(call_all(rnn, layer.inputs(&none, &state), given, {newest_opset, 2}));
  EXPECT_EQ(elements<float>(empty[0]), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(elements<float>(empty[1]), (std::vector<float>{3}));
}

TEST(Recurrent, WithoutStepsTheStateIsTheInitialOne) {
  const Doubling layer({});
  const Tensor state = floats({1, 1, 1}, {3});
  const std::vector<Tensor> results = must(call_all(rnn, layer.inputs(nullptr, &state), layer.given, {newest_opset, 2}));
  EXPECT_EQ(list(results[0].dims()), (List{0, 1, 1, 1}));
  EXPECT_EQ(elements<float>(results[1]), (std::vector<float>{3}));
}

TEST(Recurrent, EmptySizesGiveEmptyResultsOrThoseOfTheBiasAlone) {
  const Tensor x = floats({2, 0, 1}, {});
  const Tensor one = floats({1, 1, 1}, {1});
  EXPECT_EQ(list(must(call(rnn, {&x, &one, &one})).dims()), (List{2, 1, 0, 1}));
  const Tensor no_units = floats({1, 0, 1}, {});
  const Tensor no_state = floats({1, 0, 0}, {});
  const Tensor y = floats({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(list(must(call(lstm, {&y, &no_units, &no_state})).dims()), (List{2, 1, 3, 0}));
  const Tensor no_input = floats({2, 1, 0}, {});
  const Tensor no_weights = floats({1, 1, 0}, {});
  const Tensor zero = floats({1, 1, 1}, {0});
  const Tensor bias = floats({1, 2}, {1, 2});
  EXPECT_EQ(elements<float>(must(call(rnn, {&no_input, &no_weights, &zero, &bias}, {texts({"relu"})}))),
            (std::vector<float>{3, 3}));
}

TEST(Recurrent, ThresholdedReluKeepsTheThresholdItself) {
  const Tensor x = floats({1, 3, 1}, {0.5F, 1, 2});
  const Tensor one = floats({1, 1, 1}, {1});
  const auto result = [&](const std::vector<Given>& given) {
    return elements<float>(must(call(rnn, {&x, &one, &one}, given)));
  };
  EXPECT_EQ(result({texts({"ThresholdedRelu"})}), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(result({texts({"thresholdedRELU"}), numbers("activation_alpha", {2})}), (std::vector<float>{0, 0, 2}));
  EXPECT_EQ(result({texts({"Affine"})}), (std::vector<float>{0.5F, 1, 2}));
  EXPECT_EQ(result({texts({"LeakyRelu"}), number("clip", 0.75F)}), (std::vector<float>{0.5F, 0.75F, 0.75F}));
}

TEST(Recurrent, OldVersionsHaveTheSameResults) {
  const Doubling layer({1, 10, 100});
  std::vector<Given> given = layer.given;
  given.push_back(int_attribute("output_sequence", 0));
  EXPECT_EQ(elements<float>(must(call(rnn, layer.inputs(), given, 1))), (std::vector<float>{1, 12, 124}));
  const Tensor x = floats({2, 1, 1}, {1, 2});
  const Tensor w = floats({1, 3, 1}, {1, 2, 3});
  const Tensor y = must(call(gru, {&x, &w, &w}));
  for (const std::int64_t opset : {1, 3, 7, 14}) {
    const std::vector<Tensor> results = must(call_all(gru, {&x, &w, &w}, {}, {opset, 2}));
    EXPECT_EQ(elements<float>(results[0]), elements<float>(y));
  }
  EXPECT_TRUE(succeeds(call_all(gru, {&x, &w, &w}, {text("direction", "foward")}, {1, 2})));
  EXPECT_TRUE(
      fails(call(gru, {&x, &w, &w}, {text("direction", "foward")}, 3), Code::InvalidArgument, "'foward', wanted one of"));
  EXPECT_TRUE(fails(call(gru, {&x, &w, &w}, {int_attribute("layout", 0)}, 7), Code::InvalidArgument, "layout"));
}

TEST(Recurrent, DimsThatDoNotFitAreRefused) {
  const Tensor x = floats({1, 2, 1}, {1, 2});
  const Tensor w = floats({1, 4, 1}, {1, 2, 3, 4});
  const Tensor flat = floats({1, 2}, {1, 2});
  const auto refuses = [&](const std::vector<const Tensor*>& inputs, std::string_view part,
                           const std::vector<Given>& given = {}) {
    return fails(call(lstm, inputs, given), Code::InvalidArgument, part);
  };
  EXPECT_TRUE(succeeds(call(lstm, {&x, &w, &w})));
  EXPECT_TRUE(refuses({&flat, &w, &w}, "X has dims [1, 2], wanted 3 axes"));
  EXPECT_TRUE(refuses({&x, &flat, &w}, "W has dims [1, 2], wanted [1, 4, 1]"));
  EXPECT_TRUE(refuses({&x, &w, &x}, "R has dims [1, 2, 1], wanted [1, 4, 1]"));
  EXPECT_TRUE(refuses({&x, &w, &w}, "W has dims [1, 4, 1], wanted [2, 4, 1]", {text("direction", "bidirectional")}));
  EXPECT_TRUE(refuses({&x, &w, &w, &flat}, "B has dims [1, 2], wanted [1, 8]"));
  const Tensor lengths = lengths_of({1});
  EXPECT_TRUE(refuses({&x, &w, &w, nullptr, &lengths}, "sequence_lens has dims [1], wanted [2]"));
  EXPECT_TRUE(refuses({&x, &w, &w, nullptr, nullptr, &w}, "initial_h has dims [1, 4, 1], wanted [1, 2, 1]"));
  EXPECT_TRUE(refuses({&x, &w, &w, nullptr, nullptr, &x}, "wanted [1, 1, 1]", {int_attribute("layout", 1)}));
  EXPECT_TRUE(refuses({&x, &w, &w, nullptr, nullptr, nullptr, &w}, "initial_c has dims [1, 4, 1]"));
  EXPECT_TRUE(refuses({&x, &w, &w, nullptr, nullptr, nullptr, nullptr, &flat}, "P has dims [1, 2], wanted [1, 3]"));
  for (const std::int64_t hidden : {std::int64_t{2}, std::int64_t{-1}, std::int64_t{1} << 62}) {
    EXPECT_TRUE(refuses({&x, &w, &w}, "attribute 'hidden_size' is " + std::to_string(hidden) + ", the last size of R is 1",
                        {int_attribute("hidden_size", hidden)}));
  }
}

TEST(Recurrent, InvalidAttributesAndLengthsAreRefused) {
  const Doubling layer({1, 10, 100});
  const auto refuses = [&](const std::vector<Given>& given, std::string_view part) {
    return fails(call(rnn, layer.inputs(), given), Code::InvalidArgument, part);
  };
  EXPECT_TRUE(refuses({texts({"Gelu"})}, "attribute 'activations' has 'Gelu', which is not an activation function"));
  EXPECT_TRUE(refuses({texts({"Tanh", "Tanh", "Tanh"})}, "attribute 'activations' has 3 functions, wanted 1"));
  EXPECT_TRUE(refuses({texts({})}, "has 0 functions"));
  EXPECT_TRUE(refuses({texts({"ScaledTanh"}), numbers("activation_alpha", {1})},
                      "attribute 'activation_beta' has no number for activation 'scaledtanh', which has no default"));
  EXPECT_TRUE(refuses({number("clip", -1)}, "attribute 'clip' is -1, wanted 0 or more"));
  EXPECT_TRUE(refuses({number("clip", NAN)}, "wanted 0 or more"));
  EXPECT_TRUE(refuses({int_attribute("layout", 2)}, "attribute 'layout' is 2, wanted 0 or 1"));
  EXPECT_TRUE(refuses({text("direction", "both")}, "direction"));
  for (const std::int32_t length : {-1, 4, INT32_MIN}) {
    const Tensor lengths = lengths_of({length});
    EXPECT_TRUE(fails(call(rnn, layer.inputs(&lengths), layer.given), Code::InvalidArgument,
                      "sequence_lens has " + std::to_string(length) + ", wanted a number from 0 to 3"));
  }
}

TEST(Recurrent, WeightsOfMoreElementsThanMemoryHasAreRefused) {
  const Tensor one = floats({}, {1});
  const std::int64_t many = std::int64_t{1} << 40;
  const Tensor x{Dtype::float32, uniform_layout({1, 1, many}), one.storage};
  const Tensor w{Dtype::float32, uniform_layout({1, 1, many}), one.storage};
  const Tensor r = floats({1, 1, 1}, {1});
  EXPECT_TRUE(fails(call(rnn, {&x, &w, &r}), Code::OutOfMemory, ""));
}

// ---- Before a run ----

class RecurrentBeforeRun : public BeforeRun {};

TEST_F(RecurrentBeforeRun, SizesComeFromTheInputsAndTheAttributes) {
  const Tensor w = known({1, 12, 5});
  const Tensor r = known({1, 12, 3});
  EXPECT_EQ(sizes(lstm, {known({n(), m(), 5}), w, r}, {}, 3), "n 1 m 3; 1 m 3; 1 m 3");
  EXPECT_EQ(sizes(lstm, {known({m(), n(), 5}), w, r}, {int_attribute("layout", 1)}, 2), "m n 1 3; m 1 3");
  EXPECT_EQ(sizes(lstm, {unranked(), unranked(), unranked()}, {text("direction", "bidirectional")}, 2), "? 2 ? ?; 2 ? ?");
  EXPECT_EQ(sizes(gru, {unranked(), unranked(), unranked()}, {int_attribute("hidden_size", 7)}, 2), "? 1 ? 7; 1 ? 7");
  EXPECT_EQ(sizes(rnn, {known({n(), m(), 5}), known({1, n(), 5}), known({1, n(), n()})}), "n 1 m n");
  EXPECT_EQ(sizes(lstm, {known({n(), m(), 5}), known({1, 13, 5}), r}), "error");
  EXPECT_EQ(sizes(lstm, {known({n(), m()}), w, r}), "error");
  EXPECT_EQ(sizes(gru, {unranked(), unranked(), unranked()}, {int_attribute("hidden_size", std::int64_t{1} << 62)}),
            "? 1 ? 4611686018427387904");
}

}  // namespace
}  // namespace broadloom::test::recurrent_rules_test
