// Rows name the loops, folds and operators that their functions use (Operator::kernels, Operator::calls).
#include "kernels/base/uses.h"

#include <gtest/gtest.h>

#include "support/calls.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator reduce_sum, relu, softplus;
}
namespace broadloom::op::microsoft {
extern const Operator fused_mat_mul;
}

namespace broadloom::test::uses_test {
namespace {

TEST(Uses, ARowHasWhatItNames) {
  EXPECT_TRUE(relu.kernels.has_loop(Operation::maximum));
  EXPECT_FALSE(relu.kernels.has_loop(Operation::minimum));
  EXPECT_TRUE(reduce_sum.kernels.has_fold(Operation::add));
  EXPECT_FALSE(reduce_sum.kernels.has_fold(Operation::maximum));
  const Kernels both = loops(Operation::add) | folds(Operation::maximum) | computed_in(Dtype::float64);
  EXPECT_TRUE(both.has_loop(Operation::add) && both.has_fold(Operation::maximum) && both.types().contains(Dtype::float64));
}

#ifdef BROADLOOM_CHECKS_USES
TEST(UsesDeathTest, ALoopThatTheRowDoesNotNameEndsTheProgramWithItsName) {
  Operator without = softplus;
  without.kernels = loops(Operation::exp);
  const Tensor x = floats({2}, {1, 2});
  EXPECT_DEATH(static_cast<void>(call(without, {&x})), "Softplus asks for the loop 'softplus' in float32");
}

TEST(UsesDeathTest, AFoldThatTheRowDoesNotNameEndsTheProgramWithItsName) {
  Operator without = reduce_sum;
  without.kernels = loops(Operation::add);
  const Tensor x = floats({2}, {1, 2});
  EXPECT_DEATH(static_cast<void>(call(without, {&x})), "ReduceSum asks for the fold 'add' in float32");
}

TEST(UsesDeathTest, ATypeThatNeitherOperandsNorTheRowHaveEndsTheProgram) {
  const Asker other{"Other", loops(Operation::add), Dtype::float32};
  asker = &other;
  EXPECT_DEATH(check_loop(Operation::add, Dtype::float64), "Other asks for the loop 'add' in float64");
  check_loop(Operation::add, Dtype::float32);
  asker = nullptr;
}

TEST(UsesDeathTest, ACallThatTheRowDoesNotNameEndsTheProgramWithBothNames) {
  Operator without = op::microsoft::fused_mat_mul;
  without.calls = {&softplus};
  const Tensor a = floats({1, 1}, {2});
  EXPECT_DEATH(static_cast<void>(call(without, {&a, &a})), "FusedMatMul calls MatMul, which its row does not name");
}
#endif

}  // namespace
}  // namespace broadloom::test::uses_test
