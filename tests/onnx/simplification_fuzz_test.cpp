// Files that were damaged at random, simplified: there is a result that can be read and computes the same, or an error.
#include "support/damaged_files.h"
#include "support/simplified.h"

namespace broadloom {
namespace {

using test::attribute;
using test::float_tensor;
using test::graph_of;
using test::int64_tensor;
using test::int_of;
using test::ints_of;
using test::node;
using test::Proto;
using test::Random;
using test::value_info;
using test::Wish;
using enum AttributeType;

// Nodes of all kinds that are changed, joined, computed or dropped.
test::Graph changing_graph() {
  const auto any = [](std::string_view name) { return value_info(name, Dtype::undefined); };
  const auto cast = [](std::string_view from, std::string_view to, Dtype dtype) {
    return node("Cast", {std::string(from)}, {std::string(to)}, {int_of("to", static_cast<int>(dtype))});
  };
  const test::Graph then_branch{{node("Transpose", {"a"}, {"t"}), node("Transpose", {"t"}, {"u"})}, {}, {any("u")}};
  const test::Graph else_branch{{node("Add", {"a", "one"}, {"t"})}, {}, {any("t")}};
  const test::Graph body{{node("Add", {"s", "s"}, {"n"}), node("Identity", {"go"}, {"on"}), node("Shape", {"n"}, {"o"})},
                         {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("s")},
                         {any("on"), any("n"), any("o")}};
  return {{node("Shape", {"x"}, {"s"}),
           node("Gather", {"s", "first"}, {"n"}, {int_of("axis", 0)}),
           node("Concat", {"n", "minus"}, {"target"}, {int_of("axis", 0)}),
           node("Reshape", {"x", "target"}, {"r"}),
           node("Unsqueeze", {"r", "first"}, {"r1"}),
           node("Unsqueeze", {"r1", "first"}, {"r2"}),
           node("Squeeze", {"r2", "first"}, {"r3"}),
           node("Transpose", {"r3"}, {"q1"}, {ints_of("perm", {0, 2, 1})}),
           node("Transpose", {"q1"}, {"q2"}, {ints_of("perm", {1, 0, 2})}),
           cast("q2", "c1", Dtype::float64),
           cast("c1", "c2", Dtype::float32),
           node("Slice", {"c2", "first", "n", "first"}, {"l"}),
           node("Expand", {"l", "first"}, {"l1"}),
           node("Identity", {"c2"}, {"a"}),
           node("Add", {"a", "one"}, {"b1"}),
           node("Add", {"a", "one"}, {"b2"}),
           node("Mul", {"b1", "b2"}, {"b3"}),
           node("Mul", {"b3", "one"}, {"y"}),
           node("If", {"cond"}, {"z"}, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)}),
           node("Loop", {"three", "", "a"}, {"w", "o"}, {graph_of("body", body)}),
           node("Dropout", {"z"}, {"d"}),
           node("Pad", {"d", "none"}, {"p"})},
          {value_info("x", Dtype::float32, {"N", 3}), value_info("cond", Dtype::boolean, {})},
          {any("y"), any("p"), any("w"), value_info("o", Dtype::int64)},
          {int64_tensor({1}, {0}, "first"), int64_tensor({1}, {-1}, "minus"), float_tensor({}, {1}, "one"),
           int64_tensor({}, {3}, "three"), int64_tensor({6}, {0, 0, 0, 0, 0, 0}, "none")},
          {},
          {value_info("q2", Dtype::float32, {3, "N", 1}), value_info("a", Dtype::float32, {"M", 3, ""})}};
}

// Asks for something that the undamaged file has.
Wish random_wish(Random& random) {
  Wish wish;
  if (random.one_in(3)) wish.dims.emplace_back("N", random.between(0, 4));
  if (random.one_in(4)) wish.shapes = {{"x", {2, 3}}};
  if (random.one_in(4)) {
    const auto flag = static_cast<std::uint8_t>(random.between(0, 1));
    wish.values.emplace_back("cond", test::tensor_of<std::uint8_t>(Dtype::boolean, {1}, {flag}));
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

void simplify_damaged(const std::string& file, const Wish& wish, Tally& tally) {
  // A copy of exactly this size, so that sanitizers see a read behind it.
  const std::vector<char> exact(file.begin(), file.end());
  const std::string_view bytes(exact.data(), exact.size());
  const auto result = test::try_simplify(bytes, wish);
  if (!result) {
    ++tally.refused;
    const std::string why(result.error()->message.view());
    EXPECT_FALSE(why.empty());
    Error::forget();
    // It was the request or the file, not what was made of it.
    ReadOptions options;
    options.unsupported = Unsupported::allowed;
    options.keeps_messages = true;
    const auto is_readable = read_model(bytes, options);
    const bool asks = !wish.dims.empty() || !wish.shapes.empty() || !wish.values.empty() || wish.outputs || wish.files;
    EXPECT_TRUE(!is_readable || asks) << why;
    return Error::forget();
  }
  ++tally.simplified;
  if (wish.fuses || !wish.dims.empty() || !wish.shapes.empty() || !wish.values.empty()) return;
  const auto before = read_model(bytes);
  if (!before) return Error::forget();
  test::Feeds feeds;
  for (const GraphInput& input : (*before)->graph->inputs) {
    if (input.initializer != nullptr) continue;
    test::List dims;
    for (const Dimension& dim : input.info.dims) {
      if (dims.size() < 6) dims.push_back(dim.value >= 0 && dim.value < 5 ? dim.value : 1);
    }
    Tensor tensor = test::zeros(input.info.dtype, test::dims_of(dims));
    if (tensor.dtype == Dtype::int64) std::fill_n(reinterpret_cast<std::int64_t*>(tensor.data()), tensor.count(), 1);
    feeds.emplace_back(input.info.name, std::move(tensor));
  }
  if (!test::run(**before, feeds)) return Error::forget();
  ++tally.compared;
  EXPECT_TRUE(test::gives_the_same(bytes, *result, feeds)) << test::listing(*(*before)->graph) << "\nbecame\n"
                                                           << test::listing(*result);
}

void fuzz(const std::vector<std::string>& files, int times) {
  const test::MemoryLimit limit;
  Random random;
  Tally tally;
  const std::size_t before = Storage::bytes_in_use();
  for (int i = 0; i < times; ++i) {
    const std::string file = test::damaged(files, random);
    simplify_damaged(file, random_wish(random), tally);
    ASSERT_EQ(Storage::bytes_in_use(), before) << "case " << i << " leaks";
    ASSERT_FALSE(testing::Test::HasFailure()) << "case " << i << ": " << testing::PrintToString(file);
  }
  std::printf("%d simplified, %d refused, %d compared\n", tally.simplified, tally.refused, tally.compared);
  // Damage must reach all ends, or this test tests less than it seems to.
  EXPECT_GT(tally.simplified, times / 100);
  EXPECT_GT(tally.refused, times / 100);
}

TEST(DamagedFiles, ThatAreSimplifiedGiveAFileThatComputesTheSameOrAnError) {
  std::vector<std::string> files = test::synthetic_models();
  for (std::string& file : test::nested_models()) files.push_back(std::move(file));
  files.push_back(test::strange_model());
  fuzz(files, test::cases());
}

TEST(DamagedFiles, WithNodesThatAreChangedGiveAFileThatComputesTheSameOrAnError) {
  fuzz({test::model(changing_graph()), test::model(changing_graph(), 13)}, test::cases());
}

TEST(DamagedFiles, AreSimplifiedBeforeTheyAreDamaged) {
  std::vector<std::string> files = test::synthetic_models();
  for (std::string& file : test::nested_models()) files.push_back(std::move(file));
  files.push_back(test::model(changing_graph()));
  for (const std::string& file : files) {
    Tally tally;
    simplify_damaged(file, {}, tally);
    EXPECT_EQ(tally.simplified, 1) << Error()->message.view();
    EXPECT_EQ(tally.compared, 1);
  }
}

}  // namespace
}  // namespace broadloom
