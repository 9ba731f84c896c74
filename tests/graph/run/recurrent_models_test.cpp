// Models with recurrent layers, whose constant weights are packed.
#include "support/calls.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator lstm;
}

namespace broadloom::test::recurrent_models_test {
namespace {

TEST(RecurrentModels, ConstantWeightsGiveTheResultsOfCallsAndStatesAreGivenBack) {
  Random random;
  for (const char* direction : {"forward", "bidirectional"}) {
    const std::int64_t directions = std::string_view(direction) == "forward" ? 1 : 2;
    const auto values = [&](std::int64_t count) {
      std::vector<float> list(static_cast<std::size_t>(count));
      for (float& value : list) value = static_cast<float>(random.real(-1, 1));
      return list;
    };
    const std::vector<float> w = values(directions * 20 * 3);
    const std::vector<float> r = values(directions * 20 * 5);
    const std::vector<float> b = values(directions * 40);
    const Graph graph{{node("LSTM", {"x", "w", "r", "b", "", "h", "c"}, {"y", "yh", "yc"},
                            {attribute("direction", AttributeType::STRING).string(4, direction)})},
                      {value_info("x", Dtype::float32), value_info("h", Dtype::float32), value_info("c", Dtype::float32)},
                      {value_info("y", Dtype::float32), value_info("yh", Dtype::float32), value_info("yc", Dtype::float32)},
                      {float_tensor({directions, 20, 3}, w, "w"), float_tensor({directions, 20, 5}, r, "r"),
                       float_tensor({directions, 40}, b, "b")}};
    const ModelPtr model = load(graph);
    Tensor h = floats({directions, 2, 5}, values(directions * 10));
    Tensor c = floats({directions, 2, 5}, values(directions * 10));
    const Tensor packed_w = floats({directions, 20, 3}, w);
    const Tensor packed_r = floats({directions, 20, 5}, r);
    const Tensor packed_b = floats({directions, 40}, b);
    // The states are given back.
    for (int i = 0; i < 3; ++i) {
      const Tensor x = floats({4, 2, 3}, values(24));
      const std::vector<Tensor> results = must(run(*model, {{"x", x}, {"h", h}, {"c", c}}));
      const std::vector<Tensor> wanted =
          must(call_all(lstm, {&x, &packed_w, &packed_r, &packed_b, nullptr, &h, &c},
                        {{"direction", AttributeType::STRING, strings({}, {direction})}}, {newest_opset, 3}));
      expect_same_bits(results, wanted);
      h = results[1];
      c = results[2];
    }
  }
}

}  // namespace
}  // namespace broadloom::test::recurrent_models_test
