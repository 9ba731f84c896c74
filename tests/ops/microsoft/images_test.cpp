// FusedConv, NhwcFusedConv and NhwcMaxPool of com.microsoft.
#include <cmath>

#include "ops/call/ready_call.h"
#include "ops/packed_operands.h"
#include "support/before_run.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator conv, max_pool;
}
namespace broadloom::op::microsoft {
extern const Operator fused_conv, nhwc_fused_conv, nhwc_max_pool;
}

namespace broadloom::test::microsoft_images_test {
namespace {

namespace ms = op::microsoft;

Given parameters(const std::vector<float>& values) {
  return {"activation_params", AttributeType::FLOATS, floats({static_cast<std::int64_t>(values.size())}, values)};
}

TEST(FusedConv, IsAConvWithASumAndAnActivation) {
  struct Case {
    std::string name;
    std::vector<float> parameters;
    double (*function)(double);
  };
  const Case cases[] = {{"", {}, [](double x) { return x; }},
                        {"Relu", {}, [](double x) { return std::max(x, 0.0); }},
                        {"Tanh", {}, [](double x) { return std::tanh(x); }},
                        {"Sigmoid", {}, [](double x) { return 1 / (1 + std::exp(-x)); }},
                        {"LeakyRelu", {0.25F}, [](double x) { return x < 0 ? x / 4 : x; }},
                        {"Clip", {-2, 5}, [](double x) { return std::min(std::max(x, -2.0), 5.0); }},
                        {"HardSigmoid", {0.25F, 0.5F}, [](double x) { return std::min(std::max(x / 4 + 0.5, 0.0), 1.0); }}};
  Random random;
  for (const Case& one : cases) {
    for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16}) {
      const Tensor x = random_tensor(random, dtype, {2, 4, 5, 3});
      const Tensor w = random_tensor(random, dtype, {6, 2, 2, 2});
      const Tensor b = random_tensor(random, dtype, {6});
      const std::vector<Given> given{int_attribute("group", 2)};
      std::vector<Given> fused = given;
      if (!one.name.empty()) fused.push_back(word("activation", one.name));
      if (!one.parameters.empty()) fused.push_back(parameters(one.parameters));
      const Tensor conv = must(call(op::conv, {&x, &w, &b}, given));
      const Tensor z = random_tensor(random, dtype, list(conv.dims()));
      const Numbers products = numbers_of(conv);
      const Numbers added = numbers_of(z);
      Numbers plain = products;
      Numbers sums = products;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        plain[i] = one.function(products[i]);
        sums[i] = one.function(products[i] + added[i]);
      }
      EXPECT_TRUE(are_near(must(call(ms::fused_conv, {&x, &w, &b}, fused)), plain, precision_of(dtype))) << one.name;
      EXPECT_TRUE(are_near(must(call(ms::fused_conv, {&x, &w, &b, &z}, fused)), sums, precision_of(dtype))) << one.name;
    }
  }
}

TEST(FusedConv, ACallThatIsMadeReadyHasTheSameBits) {
  Random random;
  const Tensor x = random_tensor(random, Dtype::float32, {1, 3, 9, 7});
  const Tensor w = random_tensor(random, Dtype::float32, {5, 3, 3, 3});
  const Tensor b = random_tensor(random, Dtype::float32, {5});
  const Tensor z = random_tensor(random, Dtype::float32, {1, 5, 7, 5});
  const Tensor wanted = must(call(ms::fused_conv, {&x, &w, &b, &z}, {word("activation", "Tanh")}));
  Attributes attributes;
  const OperatorVersion& version = ms::fused_conv.versions[0];
  attributes.add(*find_spec(version, "activation")) = word("activation", "Tanh").value;
  Tensor y{Dtype::float32, result_layout(wanted.layout), must(Storage::allocate(wanted.count() * 4))};
  const Dtype types[] = {Dtype::float32};
  // Only the weights are constant: the other inputs have no elements.
  Tensor inputs[] = {x, w, b, z};
  for (const std::size_t i : {0U, 2U, 3U}) inputs[i].storage = {};
  const Tensor* const known[] = {&inputs[0], &inputs[1], &inputs[2], &inputs[3]};
  PackedOperands packed;
  const Ready ready = must(ms::fused_conv.ready({version, known, attributes, types, {&y, 1}}, &packed));
  ASSERT_NE(ready.call, nullptr);
  const Tensor* const given[] = {&x, &w, &b, &z};
  const Call call{version, given, attributes, types, {&y, 1}, nullptr, ready.packed->data()};
  const StorageRef workspace = must(Storage::allocate(ready.call->workspace_bytes()));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(ready.call->run(call, workspace->data()));
    EXPECT_EQ(bytes_of(y), bytes_of(wanted));
  }
}

TEST(FusedConv, InvalidCallsFailWithTheirNumbers) {
  const Tensor x = zeros(Dtype::float32, {1, 2, 3, 3});
  const Tensor w = zeros(Dtype::float32, {4, 2, 1, 1});
  const auto refuses = [&](const std::vector<Given>& given, const std::vector<const Tensor*>& inputs, const char* text) {
    EXPECT_TRUE(fails(call(ms::fused_conv, inputs, given), Code::InvalidArgument, text));
  };
  refuses({word("activation", "Elu")}, {&x, &w}, "com.microsoft.FusedConv-1: activation is 'Elu', wanted Clip, HardSigmoid");
  refuses({word("activation", "Clip"), parameters({1})}, {&x, &w}, "activation 'Clip' has 1 activation_params, wanted 2");
  refuses({word("activation", "LeakyRelu")}, {&x, &w}, "activation 'LeakyRelu' has 0 activation_params, wanted 1");
  const Tensor z = zeros(Dtype::float32, {1, 4, 3, 2});
  refuses({}, {&x, &w, nullptr, &z}, "inputs have dims [1, 4, 3, 3] and [1, 4, 3, 2], wanted equal ones");
  refuses({int_attribute("group", 3)}, {&x, &w}, "and 3 groups want 6 channels");
}

Tensor moved(const Tensor& image, std::span<const std::int64_t> order) {
  Tensor view = image;
  view.layout = transposed_layout(image.layout, order);
  return view;
}

TEST(NhwcFusedConv, IsAConvWithItsChannelsLast) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t groups = random.between(1, 2);
    const std::int64_t channels = groups * random.between(1, 3);
    const std::int64_t filters = groups * random.between(1, 5);
    const Tensor x =
        random_tensor(random, Dtype::float32, {random.between(1, 2), random.between(3, 8), random.between(3, 8), channels});
    const Tensor w = random_tensor(random, Dtype::float32, {filters, channels / groups, random.between(1, 3), 3});
    const std::vector<Given> given{int_attribute("group", groups), ints("pads", {0, random.between(0, 2), 1, 1})};
    const Tensor first = moved(x, List{0, 3, 1, 2});
    const Tensor wanted = moved(must(call(op::conv, {&first, &w}, given)), List{0, 2, 3, 1});
    ASSERT_EQ(numbers_of(must(call(ms::nhwc_fused_conv, {&x, &w}, given))), numbers_of(wanted)) << i;
  }
}

TEST(NhwcMaxPool, IsAMaxPoolOfChannelsBehindTheOtherAxes) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const Dtype dtype = random.one_in(2) ? Dtype::int8 : Dtype::uint8;
    const std::size_t axes = static_cast<std::size_t>(random.between(1, 3));
    List dims{random.between(0, 2)};
    for (std::size_t k = 0; k < axes; ++k) dims.push_back(random.between(3, 7));
    dims.push_back(random.one_in(3) ? 1 : random.between(2, 20));
    const std::vector<Given> given{ints("kernel_shape", List(axes, 3)), ints("strides", List(axes, random.between(1, 2))),
                                   ints("pads", List(2 * axes, 1)), int_attribute("ceil_mode", random.between(0, 1))};
    const Tensor x = random_tensor(random, dtype, dims);
    List front{0, static_cast<std::int64_t>(axes + 1)};
    List back{0};
    for (std::size_t k = 1; k <= axes; ++k) front.push_back(static_cast<std::int64_t>(k));
    for (std::size_t k = 2; k < axes + 2; ++k) back.push_back(static_cast<std::int64_t>(k));
    back.push_back(1);
    const Tensor first = moved(x, front);
    const Tensor wanted = moved(must(call(op::max_pool, {&first}, given)), back);
    const Tensor y = must(call(ms::nhwc_max_pool, {&x}, given));
    ASSERT_EQ(list(y.dims()), list(wanted.dims()));
    ASSERT_EQ(numbers_of(y), numbers_of(wanted)) << i;
  }
  const Tensor flat = zeros(Dtype::int8, {2, 3});
  EXPECT_TRUE(
      fails(call(ms::nhwc_max_pool, {&flat}, {ints("kernel_shape", {1})}), Code::InvalidArgument, "an image has 2 axes"));
}

class MicrosoftImagesBeforeARun : public BeforeRun {};

TEST_F(MicrosoftImagesBeforeARun, SizesAreThoseOfConvAndMaxPool) {
  const Tensor w = known({8, 3, 3, 3});
  EXPECT_EQ(sizes(ms::fused_conv, {known({n(), 3, 10, m()}), w}), "n 8 8 m - 2");
  EXPECT_EQ(sizes(ms::fused_conv, {known({n(), 3, 10, m()}), w, unranked(), known({n(), 8, 7, m()})}), "error");
  EXPECT_EQ(sizes(ms::fused_conv, {unranked(), w}), "? 8 ? ?");
  const std::vector<Given> kernel{ints("kernel_shape", {2, 2})};
  EXPECT_EQ(sizes(ms::nhwc_max_pool, {known({n(), 5, m(), 7}, Dtype::int8)}, kernel), "n 4 m - 1 7");
  EXPECT_EQ(sizes(ms::nhwc_max_pool, {unranked(Dtype::int8)}, kernel), "unknown");
}

}  // namespace
}  // namespace broadloom::test::microsoft_images_test
