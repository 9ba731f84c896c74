// The records that a Rewriter keeps consistent, and the checks of debug builds.
#include "graph/rewrite/rewriter.h"

#include "support/pass_graphs.h"

namespace broadloom::op {
extern const Operator exp, reshape;
}

namespace broadloom::test::rewriter_test {
namespace {

using broadloom::Value;

// a = Neg(x); y = Exp(a). Both nodes are kept.
class ARewriter : public testing::Test {
 protected:
  ARewriter() {
    EXPECT_TRUE(inference_.run());
    rewriter_.add_new_values();
    rewriter_.enter(&scope_);
    for (Node* one : model_->graph->order) EXPECT_TRUE(rewriter_.keep(*one));
  }
  Node& node(std::size_t i) { return *model_->graph->order[i]; }
  Value& output(std::size_t i) { return *node(i).outputs[0]; }

  ModelPtr model_ = must(read_model(test::model(through({test::node("Neg", {"x"}, {"a"}), test::node("Exp", {"a"}, {"y"})}))));
  ShapeInference inference_{*model_, true};
  SimplifyOptions options_;
  SimplifyProgress progress_;
  Rewriter rewriter_{*model_, inference_, options_, progress_};
  PassScope scope_{*model_->graph};
};

TEST_F(ARewriter, LeadsFromAReplacedValueToItsLastReplacement) {
  Value& x = *node(0).inputs[0];
  Value& second = rewriter_.new_value("b", Dtype::float32);
  EXPECT_TRUE(rewriter_.replace(second, output(0)));
  EXPECT_TRUE(rewriter_.replace(output(0), x));
  EXPECT_EQ(&rewriter_.resolved(second), &x);
  EXPECT_TRUE(rewriter_.is_replaced(second));
  EXPECT_FALSE(rewriter_.is_replaced(x));
}

TEST_F(ARewriter, CountsStepsByPassUntilTheyAreUsedUp) {
  options_.most_steps = 1;
  ASSERT_TRUE(rewriter_.begin(Pass::merge_casts));
  rewriter_.changed();
  EXPECT_EQ(progress_.counts[static_cast<std::size_t>(Pass::merge_casts)], 1);
  EXPECT_TRUE(rewriter_.has_changed());
  EXPECT_FALSE(rewriter_.begin(Pass::merge_concats));
}

TEST_F(ARewriter, KnowsTheElementsOfANewConstant) {
  Value& one = rewriter_.new_constant("k", floats({}, {1}));
  ASSERT_NE(rewriter_.constant(&one), nullptr);
  EXPECT_EQ(rewriter_.facts(one).dtype, Dtype::float32);
  EXPECT_FALSE(rewriter_.is_old(one));
  EXPECT_TRUE(one.is_constant());
}

TEST_F(ARewriter, InfersTheDimsOfWhatANewNodeMakes) {
  Value& made = rewriter_.new_value("b", Dtype::float32);
  Value* inputs[] = {&output(0)};
  Node& added = rewriter_.new_node(op::exp, inputs, made, 25);
  EXPECT_FALSE(rewriter_.facts(made).is_ranked());
  EXPECT_TRUE(rewriter_.infer(added));
  EXPECT_TRUE(rewriter_.have_same_dims(made, output(0)));
}

TEST_F(ARewriter, InfersANewNodeFromElementsOfANewConstant) {
  Value& made = rewriter_.new_value("b", Dtype::float32);
  Value& target = *must(rewriter_.new_integers("s", {3, 2}));
  Value* inputs[] = {&output(0), &target};
  EXPECT_TRUE(rewriter_.infer(rewriter_.new_node(op::reshape, inputs, made, 25)));
  EXPECT_EQ(list(rewriter_.facts(made).dims()), (List{3, 2}));
}

#ifndef NDEBUG

using ACheckOfTheGraph = ARewriter;

// A step, after which the graph is checked.
#define EXPECT_ENDS(message)          \
  rewriter_.begin(Pass::merge_casts); \
  rewriter_.changed();                \
  EXPECT_DEATH(rewriter_.check(nullptr), message)

TEST_F(ACheckOfTheGraph, AcceptsAConsistentGraph) {
  rewriter_.changed(Pass::merge_casts);
  rewriter_.check(nullptr);
}

TEST_F(ACheckOfTheGraph, FindsAReaderThatIsNotCounted) {
  output(0).uses = 0;
  EXPECT_ENDS("after merge_casts: the value 'a' has more readers than were counted");
}

TEST_F(ACheckOfTheGraph, FindsACountedReaderThatIsNotThere) {
  output(0).uses = 2;
  EXPECT_ENDS("after merge_casts: the value 'a' has fewer readers than were counted");
}

TEST_F(ACheckOfTheGraph, FindsACaptureThatIsNotThere) {
  output(0).captures = 1;
  EXPECT_ENDS("the value 'a' is captured another number of times than was counted");
}

TEST_F(ACheckOfTheGraph, FindsAReaderOfAReplacedValue) {
  ASSERT_TRUE(rewriter_.replace(output(0), *node(0).inputs[0]));
  EXPECT_ENDS("'a' is read, though another one replaced it");
}

TEST_F(ACheckOfTheGraph, FindsAValueThatIsReadBeforeItIsProduced) {
  std::swap(scope_.kept[0], scope_.kept[1]);
  EXPECT_ENDS("'a' is read before a node makes it");
}

TEST_F(ACheckOfTheGraph, FindsAValueOfAnotherProducer) {
  output(0).producer = &node(1);
  EXPECT_ENDS("'a' has another producer");
}

#endif

}  // namespace
}  // namespace broadloom::test::rewriter_test
