// Calls that are made ready, for many runs or for one.
#include "ops/call/ready_call.h"

#include "ops/packed_operands.h"
#include "support/calls.h"

namespace broadloom::op {
extern const Operator mat_mul_integer;
}

namespace broadloom::test::ready_call_test {
namespace {

// A product of bytes, whose single calls are made ready.
struct Product {
  Tensor a = tensor_of<std::uint8_t>(Dtype::uint8, {2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor b = tensor_of<std::uint8_t>(Dtype::uint8, {3, 2}, {7, 8, 9, 10, 11, 12});
  Tensor y = tensor_of<std::int32_t>(Dtype::int32, {2, 2}, {0, 0, 0, 0});
  const Tensor* inputs[2] = {&a, &b};
  Attributes attributes;
  Dtype type = Dtype::int32;
  Call call{op::mat_mul_integer.versions.back(), inputs, attributes, {&type, 1}, {&y, 1}};

  std::vector<std::int32_t> results() const {
    const auto* const first = reinterpret_cast<const std::int32_t*>(y.data());
    return {first, first + 4};
  }
};
const std::vector<std::int32_t> wanted = {58, 64, 139, 154};

TEST(Ready, ASingleCallIsMadeReadyAndRunsOnce) {
  Product product;
  ASSERT_TRUE(succeeds(op::mat_mul_integer.compute(product.call)));
  EXPECT_EQ(product.results(), wanted);
}

TEST(Ready, OnlyACallOfManyRunsHasItsConstantsPacked) {
  Product product;
  PackedOperands constants;
  EXPECT_FALSE(must(op::mat_mul_integer.ready(product.call, nullptr)).packed);
  EXPECT_TRUE(must(op::mat_mul_integer.ready(product.call, &constants)).packed);
}

Status run_and_add_one(const Call& call, ReadyCall& part, std::byte* workspace, Finish*) {
  BROADLOOM_CHECK(part.run(call, workspace));
  reinterpret_cast<std::int32_t*>(call.outputs[0].data())[0] += 1;
  return {};
}

TEST(Ready, ACallAroundAnotherHasItsWorkspaceAndRunsIt) {
  Product product;
  const std::size_t bytes = in_memory(must(op::mat_mul_integer.ready(product.call, nullptr)).call->workspace_bytes());
  const Ready around = must(broadloom::around(op::mat_mul_integer.ready(product.call, nullptr), run_and_add_one));
  EXPECT_EQ(around.call->workspace_bytes(), bytes);
  EXPECT_FALSE(around.call->can_finish());
  const StorageRef workspace = must(Storage::allocate(bytes));
  ASSERT_TRUE(succeeds(around.call->run(product.call, workspace->data())));
  EXPECT_EQ(product.results(), (std::vector<std::int32_t>{59, 64, 139, 154}));
}

}  // namespace
}  // namespace broadloom::test::ready_call_test
