// AveragePool and LpPool of images with wide rows and few channels, whose results are written row by row
// (kernels/convolution/pool.h).
#include "support/calls.h"
#include "support/numbers.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator average_pool, lp_pool;
}

namespace broadloom::test::pool_rows_test {
namespace {

constexpr Dtype real_types[] = {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16};

// With the channels side by side, results are computed window by window.
TEST(PoolsOfRows, HaveTheBitsOfThoseWithChannelsSideBySide) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    List dims{random.between(1, 2), random.between(2, 3)};
    List kernel, strides, dilations, begins, ends;
    for (std::int64_t axes = random.between(1, 3); axes > 0; --axes) {
      dims.push_back(axes == 1 ? random.between(12, 90) : random.between(1, 6));
      strides.push_back(random.between(1, axes == 1 ? 4 : 2));
      dilations.push_back(random.between(1, 2));
      begins.push_back(random.between(0, 2));
      ends.push_back(random.between(0, 2));
      const std::int64_t most = (dims.back() + begins.back() + ends.back() - 1) / dilations.back() + 1;
      kernel.push_back(random.between(std::max(begins.back(), ends.back()) + 1, 5));
      kernel.back() = std::min(kernel.back(), most);
    }
    List pads = begins;
    pads.insert(pads.end(), ends.begin(), ends.end());
    const std::vector<Given> given{ints("kernel_shape", kernel), ints("strides", strides), ints("dilations", dilations),
                                   ints("pads", pads), int_attribute("ceil_mode", random.one_in(2) ? 1 : 0)};
    std::vector<Given> counting = given;
    counting.push_back(int_attribute("count_include_pad", random.one_in(2) ? 1 : 0));
    const Tensor x = random_tensor(random, real_types[random.below(std::size(real_types))], dims);
    const Tensor last = channels_last(x);
    const Tensor rows = must(call(op::average_pool, {&x}, counting));
    ASSERT_EQ(bytes_of(rows), bytes_of(must(call(op::average_pool, {&last}, counting)))) << "call " << i;
    const Tensor norms = must(call(op::lp_pool, {&x}, given));
    ASSERT_EQ(bytes_of(norms), bytes_of(must(call(op::lp_pool, {&last}, given)))) << "call " << i;
  }
}

// The windows of a place add a row of an infinite element to their own alone.
TEST(PoolsOfRows, AnInfiniteElementReachesItsOwnWindowsAlone) {
  std::vector<float> image(3 * 20, 1.0F);
  image[20 + 10] = std::numeric_limits<float>::infinity();
  const Tensor x = floats({1, 1, 3, 20}, image);
  const Tensor y = must(call(op::average_pool, {&x}, {ints("kernel_shape", {3, 3}), ints("pads", {1, 1, 1, 1})}));
  const std::vector<float> means = elements<float>(y);
  for (std::size_t i = 0; i < means.size(); ++i) {
    EXPECT_EQ(means[i], i % 20 >= 9 && i % 20 <= 11 ? std::numeric_limits<float>::infinity() : 1) << i;
  }
}

}  // namespace
}  // namespace broadloom::test::pool_rows_test
