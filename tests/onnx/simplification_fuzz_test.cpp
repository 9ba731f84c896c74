// Simplifies randomly damaged files: there is a readable result that computes the same, or an error.
#include "support/changed_graph.h"
#include "support/damaged_files.h"
#include "support/simplified.h"

namespace broadloom::test::simplification_fuzz_test {
namespace {

// A request that fits the undamaged file.
Wish random_wish(Random& random) {
  Wish wish;
  if (random.one_in(3)) {
    wish.dims.emplace_back("N", random.between(0, 4));
  } else if (random.one_in(4)) {
    wish.shapes = {{"x", {2, 3}}};
  }
  if (random.one_in(4)) {
    const auto flag = static_cast<std::uint8_t>(random.between(0, 1));
    wish.values.emplace_back("cond", tensor_of<std::uint8_t>(Dtype::boolean, {1}, {flag}));
  }
  if (random.one_in(4)) wish.outputs = {"y"};
  if (random.one_in(4)) wish.growth = static_cast<double>(random.between(0, 200));
  if (random.one_in(2)) wish.unroll = 4;
  wish.fuses = random.one_in(4);
  wish.value_info = random.one_in(3);
  if (random.one_in(3)) wish.files = {{"f", std::string(100, '\1')}};
  return wish;
}

struct Tally {
  int simplified = 0;
  int refused = 0;
  int compared = 0;
};

// Small numbers for each input, with the requested sizes.
Feeds feeds_for(const broadloom::Graph& graph, const Wish& wish, Random& random) {
  Feeds feeds = wish.values;
  const auto is_wanted = [](std::string_view name) { return [name](const auto& one) { return one.first == name; }; };
  for (const GraphInput& input : graph.inputs) {
    const std::string_view name = input.info.name;
    if (input.initializer != nullptr || std::any_of(feeds.begin(), feeds.end(), is_wanted(name))) continue;
    List dims;
    for (const Dimension& dim : input.info.dims) {
      const auto size = std::find_if(wish.dims.begin(), wish.dims.end(), is_wanted(dim.name));
      const std::int64_t other = size != wish.dims.end() ? size->second : 1;
      if (dims.size() < 6) dims.push_back(dim.value >= 0 && dim.value < 5 ? dim.value : other);
    }
    if (!wish.shapes.empty() && name == "x") dims = {2, 3};
    Tensor tensor = zeros(input.info.dtype, dims_of(dims));
    const auto fill = [&]<typename T>(T) {
      std::generate_n(reinterpret_cast<T*>(tensor.data()), tensor.count(), [&] { return T(random.between(-2, 3)); });
    };
    if (tensor.dtype == Dtype::int64) std::fill_n(reinterpret_cast<std::int64_t*>(tensor.data()), tensor.count(), 1);
    if (tensor.dtype == Dtype::float32) fill(float());
    if (tensor.dtype == Dtype::boolean) std::fill_n(tensor.data(), tensor.count(), std::byte(random.between(0, 1)));
    feeds.emplace_back(name, std::move(tensor));
  }
  return feeds;
}

void simplify_damaged(const std::string& file, const Wish& wish, Random& random, Tally& tally) {
  // A copy of exactly this size, so that sanitizers detect a read past it.
  const std::vector<char> exact(file.begin(), file.end());
  const std::string_view bytes(exact.data(), exact.size());
  const auto result = try_simplify(bytes, wish);
  if (!result) {
    ++tally.refused;
    const std::string why(result.error()->message.view());
    EXPECT_FALSE(why.empty());
    Error::forget();
    // The request or the file was invalid, not the result. The metadata of a file is read for runs alone.
    ReadOptions options;
    options.unsupported = Unsupported::allowed;
    bool is_readable = read_model(bytes, options).has_value();
    options.keeps_messages = true;
    is_readable = is_readable && read_model(bytes, options).has_value();
    const bool asks = !wish.dims.empty() || !wish.shapes.empty() || !wish.values.empty() || wish.outputs || wish.files;
    EXPECT_TRUE(!is_readable || asks) << why;
    return Error::forget();
  }
  ++tally.simplified;
  // Only declarations give the dims of loops without iterations, and the result may declare more.
  const bool may_be_empty = !wish.dims.empty() && wish.dims[0].second == 0;
  if (wish.fuses || may_be_empty) return;
  const auto before = read_model(bytes);
  if (!before) return Error::forget();
  const Feeds feeds = feeds_for(*(*before)->graph, wish, random);
  if (!run(**before, feeds)) return Error::forget();
  ++tally.compared;
  EXPECT_TRUE(gives_the_same(bytes, *result, feeds)) << listing(*(*before)->graph) << "\nbecame\n" << listing(*result);
}

// Simplifies the given number of files of `make`, and counts the outcomes.
template <typename Make>
Tally fuzz(int times, const Make& make) {
  const MemoryLimit limit;
  Random random;
  Tally tally;
  const std::size_t before = Storage::bytes_in_use();
  for (int i = 0; i < times; ++i) {
    const std::string file = make(random);
    simplify_damaged(file, random_wish(random), random, tally);
    EXPECT_EQ(Storage::bytes_in_use(), before) << "case " << i << " leaks";
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "case " << i << ": " << testing::PrintToString(file);
      break;
    }
  }
  std::printf("%d simplified, %d refused, %d compared\n", tally.simplified, tally.refused, tally.compared);
  return tally;
}

TEST(ChangedFiles, ComputeTheSameAfterSimplification) {
  const int times = cases() / 5;
  const Tally tally = fuzz(times, [&](Random& random) {
    ChangedGraph changed;
    for (std::int64_t changes = random.between(1, 8); changes > 0; --changes) changed.change(random);
    std::string file = model(changed.graph(), random.one_in(2) ? 25 : 13);
    if (random.one_in(16)) damage(file, file, random);
    return file;
  });
  EXPECT_GT(tally.simplified, times / 2);
  EXPECT_GT(tally.compared, times / 4);
}

TEST(DamagedFiles, AreSimplifiedBeforeTheyAreDamaged) {
  std::vector<std::string> files = synthetic_models();
  for (std::string& file : nested_models()) files.push_back(std::move(file));
  files.push_back(model(ChangedGraph().graph()));
  Random random;
  for (const std::string& file : files) {
    Tally tally;
    simplify_damaged(file, {}, random, tally);
    EXPECT_EQ(tally.simplified, 1) << Error()->message.view();
    EXPECT_EQ(tally.compared, 1);
  }
}

}  // namespace
}  // namespace broadloom::test::simplification_fuzz_test
