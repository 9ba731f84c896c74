// Shape inference holds in every run: random graphs, run with random sizes.
#include "support/cases.h"
#include "support/random_graphs.h"
#include "support/sound_inference.h"

namespace broadloom::soundness_test {
namespace {

using test::Random;

TEST(ShapeInference, HoldsInEveryRun) {
  Random random;
  int ran = 0;
  const int times = test::cases() / 5;
  for (int i = 0; i < times; ++i) {
    const std::string file = test::GraphMaker(random).make();
    const auto model = read_model(file);
    if (!model) {
      ADD_FAILURE() << model.error()->message.view();
      return;
    }
    ShapeInference inference(**model);
    ASSERT_TRUE(inference.run());
    for (int run = 0; run < 6; ++run) {
      const test::Feeds feeds = test::feeds_for(**model, random);
      const auto made = test::run(**model, feeds);
      if (!made) continue;
      ++ran;
      test::expect_sound(**model, inference, feeds, *made);
      if (HasFatalFailure()) {
        ADD_FAILURE() << testing::PrintToString(file);
        return;
      }
    }
  }
  std::printf("%d runs\n", ran);
  EXPECT_GT(ran, times / 20);
}

}  // namespace
}  // namespace broadloom::soundness_test
