// Shape inference holds in every run: random graphs, run with random sizes.
#include <map>

#include "graph/shape_inference.h"
#include "support/random_graphs.h"

namespace broadloom {
namespace {

using test::List;
using test::Random;

// Compares inferred sizes with those of a run. Equal inferred sizes must be equal in the run, and a name must have the
// value from the inputs.
void expect_sound(const Model& model, const ShapeInference& inference, const test::Feeds& feeds,
                  const std::vector<Tensor>& made, const std::string& file) {
  std::map<std::int64_t, std::int64_t> seen;  // by the size as a word
  const auto hold = [&](const Value& value, const Tensor& tensor) {
    const Tensor& known = inference[value];
    if (!known.is_ranked()) return;
    ASSERT_EQ(known.dims().size(), tensor.dims().size()) << value.name << testing::PrintToString(file);
    const auto same = [&](Size size, std::int64_t is) {
      if (size.is_unknown()) return;
      const std::int64_t wanted = size.is_number() ? size.number() : seen.try_emplace(size.word(), is).first->second;
      ASSERT_EQ(wanted, is) << value.name << testing::PrintToString(file);
    };
    for (std::size_t i = 0; i < known.dims().size(); ++i) same(known.dims()[i], tensor.run_dims()[i]);
    if (!known.has_elements() || known.dims().size() > 1 || !are_numbers(known.dims())) return;
    const auto wanted = test::elements<Size>(known);
    const List is = test::elements<std::int64_t>(tensor);
    for (std::size_t i = 0; i < is.size(); ++i) same(wanted[i], is[i]);
  };
  for (const auto& [name, tensor] : feeds) {
    const Value& value = *model.names.find(name);
    if (value.dtype == Dtype::int64) hold(value, tensor);
  }
  std::size_t i = 0;
  for (const GraphOutput& output : model.graph->outputs) hold(*output.value, made[i++]);
}

TEST(ShapeInference, HoldsInEveryRun) {
  Random random;
  int ran = 0;
  const char* given = std::getenv("BROADLOOM_SOUNDNESS_CASES");
  const int cases = given != nullptr ? std::atoi(given) : 3000;
  for (int i = 0; i < cases; ++i) {
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
      expect_sound(**model, inference, feeds, *made, file);
      if (HasFatalFailure()) return;
    }
  }
  std::printf("%d runs\n", ran);
  EXPECT_GT(ran, cases / 20);
}

}  // namespace
}  // namespace broadloom
