// Simplified graphs have the same results: runs random graphs with random sizes before and after. BROADLOOM_SEED repeats a run,
// BROADLOOM_FUZZ_CASES sets its length.
#include "support/damaged_files.h"
#include "support/random_graphs.h"
#include "support/simplified.h"

namespace broadloom::simplified_results_test {
namespace {

using test::must;
using test::Random;
using test::Wish;

// A request that fixes some sizes and values to those of the feeds.
Wish random_wish(const Model& model, const test::Feeds& feeds, Random& random) {
  Wish wish;
  std::map<std::string, std::int64_t> names;
  std::size_t at = 0;
  for (const GraphInput& input : model.graph->inputs) {
    const auto& [name, tensor] = feeds[at++];
    const bool is_value = random.one_in(4);
    if (is_value) wish.values.emplace_back(name, tensor);
    std::vector<test::Size> sizes;
    std::size_t axis = 0;
    for (const Dimension& dim : input.info.dims) {
      const std::int64_t size = tensor.run_dims()[axis++];
      if (!dim.name.empty()) names[std::string(dim.name)] = size;
      sizes.emplace_back(random.one_in(2) ? test::Size("") : test::Size(static_cast<int>(size)));
    }
    if (!is_value && input.info.has_shape && random.one_in(4)) wish.shapes.emplace_back(name, sizes);
  }
  for (const auto& [name, size] : names) {
    if (random.one_in(3)) wish.dims.emplace_back(name, size);
  }
  if (random.one_in(4)) wish.growth = static_cast<double>(random.between(0, 300));
  if (random.one_in(3)) wish.unroll = 4;
  if (random.one_in(4)) wish.value_info = true;
  if (random.one_in(4)) {
    wish.outputs.emplace();
    for (const GraphOutput& output : model.graph->outputs) {
      if (random.one_in(3)) wish.outputs->emplace_back(output.info.name);
    }
    if (wish.outputs->empty()) wish.outputs.reset();  // an empty list is an error
  }
  return wish;
}

// The bytes that the request itself adds to the file, and the sizes of outputs. The limit of growth excludes them.
std::size_t room_of(const Wish& wish, const Model& result) {
  constexpr std::size_t of_dim = 16;
  std::size_t room = wish.value_info ? 4096 : 0;
  for (const GraphOutput& output : result.graph->outputs) {
    room += of_dim;
    for ([[maybe_unused]] const Dimension& dim : output.info.dims) room += of_dim;
  }
  for (const auto& [name, sizes] : wish.shapes) room += of_dim * (1 + sizes.size());
  for (const auto& [name, tensor] : wish.values) room += static_cast<std::size_t>(file_bytes(tensor)) + name.size() + of_dim;
  return room + of_dim * wish.dims.size();
}

std::string described(const Wish& wish) {
  std::string text = "\nwith";
  for (const auto& [name, size] : wish.dims) text += " " + name + "=" + std::to_string(size);
  for (const auto& [name, sizes] : wish.shapes) text += " shape of " + name;
  for (const auto& [name, tensor] : wish.values) text += " " + name + testing::PrintToString(test::list(tensor.dims()));
  if (wish.outputs) text += " outputs " + testing::PrintToString(*wish.outputs);
  return text + " growth " + std::to_string(wish.growth) + (wish.unroll ? " unrolled" : "") +
         (wish.value_info ? " with value_info" : "");
}

TEST(SimplifiedGraphs, HaveTheSameResultsAsBefore) {
  Random random;
  int ran = 0;
  int folded = 0;
  const int times = test::cases() / 5;
  for (int i = 0; i < times; ++i) {
    const std::string file = test::GraphMaker(random).make();
    const auto before = must(read_model(file));
    // Most feeds fail, because sizes do not fit. Feeds that run give the sizes to fix.
    test::Feeds feeds;
    bool runs = false;
    for (int j = 0; j < 8 && !runs; ++j) {
      feeds = test::feeds_for(*before, random);
      runs = test::run(*before, feeds).operator bool();
    }
    const Wish wish = random_wish(*before, feeds, random);
    const auto result = test::try_simplify(file, wish);
    ASSERT_TRUE(test::succeeds(result)) << "case " << i << "\n" << test::listing(*before->graph) << described(wish);
    ASSERT_LE(result->bytes.size(), file.size() + static_cast<std::size_t>(wish.growth) + room_of(wish, *result->model))
        << "case " << i << " of " << file.size() << " bytes\n"
        << test::listing(*before->graph) << described(wish) << "\nbecame\n"
        << test::listing(*result);
    folded += result->count(PassKind::fold) > 0 ? 1 : 0;
    if (!runs) continue;
    ++ran;
    ASSERT_TRUE(test::gives_the_same(file, *result, feeds)) << "case " << i << "\n"
                                                            << test::listing(*before->graph) << "\nbecame\n"
                                                            << test::listing(*result);
    // Sizes that were not fixed may be different.
    for (int j = 0; j < 3; ++j) {
      test::Feeds others = test::feeds_for(*result->model, random);
      test::Feeds all = others;
      for (const auto& feed : wish.values) all.push_back(feed);
      const auto made = test::run(*before, all);
      if (!made) continue;
      const auto again = test::give_the_same(*before, *result->model, all, others);
      ASSERT_TRUE(again) << "case " << i << "\n" << test::listing(*before->graph) << "\nbecame\n" << test::listing(*result);
    }
    // A second simplification changes nothing.
    Wish more;
    more.unroll = wish.unroll;
    more.growth = 0;
    const test::Simplified twice = test::simplify(result->bytes, more);
    if (wish.growth >= 1000) {
      ASSERT_EQ(test::listing(twice), test::listing(*result)) << "case " << i;
    }
  }
  std::printf("%d ran, %d folded\n", ran, folded);
  EXPECT_GT(ran, times / 50);
  EXPECT_GT(folded, times / 10);
}

TEST(SimplifiedGraphs, OfEveryFeatureOfTheReaderHaveTheSameResults) {
  std::vector<std::string> files = test::synthetic_models();
  for (std::string& file : test::nested_models()) files.push_back(std::move(file));
  for (const std::string& file : files) {
    const auto before = must(read_model(file));
    test::Feeds feeds;
    for (const GraphInput& input : before->graph->inputs) {
      test::List dims;
      for (const Dimension& dim : input.info.dims) dims.push_back(std::max<std::int64_t>(dim.value, 1));
      Tensor tensor = test::zeros(input.info.dtype, test::dims_of(dims));
      if (input.info.dtype == Dtype::int64) *reinterpret_cast<std::int64_t*>(tensor.data()) = 1;
      if (input.initializer == nullptr) feeds.emplace_back(input.info.name, std::move(tensor));
    }
    EXPECT_TRUE(test::gives_the_same(file, test::simplify(file), feeds)) << test::listing(*before->graph);
  }
}

}  // namespace
}  // namespace broadloom::simplified_results_test
