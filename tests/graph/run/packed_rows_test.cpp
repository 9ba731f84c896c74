// Rows of a matrix that is only there as packed columns, and weights of layers that are only there packed.
#include "ops/call/dense.h"
#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::test::packed_rows_test {
namespace {

Tensor random_tensor(const std::vector<std::int64_t>& dims, Random& random, Dtype dtype = Dtype::float32) {
  std::size_t count = 1;
  for (const std::int64_t size : dims) count *= static_cast<std::size_t>(size);
  return must(in_type(floats(dims_of(dims), random_floats(random, count)), dtype));
}

Proto weight(const std::vector<std::int64_t>& dims, Random& random, std::string_view name, Dtype dtype = Dtype::float32) {
  const Tensor tensor = random_tensor(dims, random, dtype);
  return raw_tensor(dtype, dims, {reinterpret_cast<const char*>(tensor.data()), dense_size(tensor)}, name);
}

// A graph that runs with plans, and the same graph, which another model runs node by node.
struct Pair {
  explicit Pair(const Graph& graph)
      : loaded(Storage::bytes_in_use()), model(test::load(graph)), by_node(test::load(graph)), runs(*model), others(*by_node) {}

  // Expects the outcome of the run node by node.
  void run(const Feeds& feeds) {
    const Result<std::vector<Tensor>> planned = runs.run(list_of(feeds));
    const std::string error = error_text(planned);
    if (!error.empty()) Error::forget();
    const Result<std::vector<Tensor>> wanted = others.run(list_of(feeds), {false});
    EXPECT_EQ(error, error_text(wanted));
    if (!wanted) Error::forget();
    if (planned && wanted) expect_same_bits(*planned, *wanted);
  }
  bool is_let_go(std::string_view name) const {
    return model->find(name)->initializer->tensor.storage->substitute() != nullptr;
  }
  // Expects the elements that the model was loaded with.
  void expect_elements(std::string_view name) const {
    const auto bytes = [&](const Model& one) {
      const Value& value = *one.find(name);
      return bytes_of(must(elements_of(value, value.initializer)));
    };
    EXPECT_TRUE(bytes(*model) == bytes(*by_node)) << name;
  }

  std::size_t loaded;
  ModelPtr model;
  ModelPtr by_node;
  ModelRun runs;
  ModelRun others;
};

// ---- Embeddings whose rows are the columns of the last product ----

constexpr std::int64_t words = 1003;
constexpr std::int64_t depth = 70;

enum class Head { gemm, transposed, columns };

// The rows at "ids" go through `more`, and a product with all rows. With Head::columns the table lies transposed.
Graph tied(Dtype dtype, Head head, Random& random, const std::vector<Proto>& more = {}) {
  std::vector<Proto> nodes;
  if (head == Head::columns) {
    nodes = {node("Transpose", {"w"}, {"t"}), node("Gather", {"t", "ids"}, {"rows"}), node("Relu", {"rows"}, {"h"}),
             node("MatMul", {"h", "w"}, {"y"})};
  } else {
    nodes = {node("Gather", {"w", "ids"}, {"rows"}), node("Relu", {"rows"}, {"h"})};
    if (head == Head::gemm) {
      nodes.push_back(node("Reshape", {"h", "flat"}, {"f"}));
      nodes.push_back(node("Gemm", {"f", "w"}, {"y"}, {int_of("transB", 1)}));
    } else {
      nodes.push_back(node("Transpose", {"w"}, {"t"}));
      nodes.push_back(node("MatMul", {"h", "t"}, {"y"}));
    }
  }
  nodes.insert(nodes.end(), more.begin(), more.end());
  std::vector<Proto> outputs{any("y")};
  if (!more.empty()) outputs.push_back(any("z"));
  const std::vector<std::int64_t> dims =
      head == Head::columns ? std::vector<std::int64_t>{depth, words} : std::vector<std::int64_t>{words, depth};
  return {nodes,
          {value_info("ids", Dtype::int64)},
          outputs,
          {weight(dims, random, "w", dtype), int64_tensor({2}, {-1, depth}, "flat")}};
}

Feeds ids_of(const SizeList& dims, const std::vector<std::int64_t>& ids) {
  return {{"ids", tensor_of(Dtype::int64, dims.dims(), ids)}};
}

TEST(PackedRows, AnEmbeddingThatIsTheHeadTooIsInMemoryOnce) {
  Random random;
  for (const Dtype dtype : {Dtype::float32, Dtype::float16, Dtype::bfloat16}) {
    const std::size_t bytes = words * depth * item_size(dtype);
    for (const Head head : {Head::gemm, Head::transposed, Head::columns}) {
      Pair pair(tied(dtype, head, random));
      for (int i = 0; i < 3; ++i) {
        for (const std::int64_t count : {1, 3, 3}) {
          std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
          for (std::int64_t& id : ids) id = random.between(-words, words - 1);
          pair.run(ids_of({1, count}, ids));
          if (i > 0 || count != 1) continue;
          EXPECT_TRUE(pair.is_let_go("w")) << info(dtype).name << static_cast<int>(head);
          // The other model has its table, and this one what is packed.
          EXPECT_LT(Storage::bytes_in_use(), pair.loaded + 2 * bytes + bytes / 2 + 40'000);
        }
      }
      pair.run(ids_of({2, 3, 1}, {0, -1, words - 1, -words, 16, 15}));
      pair.run(ids_of({2, 3, 1}, {0, -1, words - 1, -words, 16, 15}));
      pair.run(ids_of({0}, {}));
      pair.run(ids_of({0}, {}));
      pair.expect_elements("w");
    }
  }
}

TEST(PackedRows, AnIndexOutOfBoundsHasTheErrorOfOtherRows) {
  Random random;
  for (const Head head : {Head::gemm, Head::columns}) {
    Pair pair(tied(Dtype::float32, head, random));
    pair.run(ids_of({1, 2}, {5, 5}));
    EXPECT_TRUE(pair.is_let_go("w"));
    for (const std::int64_t wrong : {words, -words - 1, std::int64_t{1} << 40}) {
      const Result<std::vector<Tensor>> failed = pair.runs.run(list_of(ids_of({1, 2}, {5, wrong})));
      EXPECT_NE(error_text(failed), "");
      Error::forget();
      pair.run(ids_of({1, 2}, {5, wrong}));
      pair.run(ids_of({1, 2}, {5, 6}));
    }
  }
}

TEST(PackedRows, AThirdReaderOfTheTableHasItsElements) {
  Random random;
  const std::vector<std::vector<Proto>> readers{
      {node("Identity", {"w"}, {"z"})},
      {node("Transpose", {"w"}, {"z"})},
      {node("NonZero", {"w"}, {"z"})},
      {node("Gather", {"w", "ids"}, {"z"}, {int_of("axis", 1)})},
      {node("Abs", {"w"}, {"a"}), node("ReduceMax", {"a"}, {"z"})},
      {node("Gather", {"w", "ids"}, {"z"})},
      {node("NonZero", {"y"}, {"n"}), node("Gather", {"w", "ids"}, {"z"})},
      {node("NonZero", {"y"}, {"n"}), node("Transpose", {"w"}, {"u"}), node("MatMul", {"h", "u"}, {"z"})},
      {node("MatMul", {"y", "w"}, {"z"})},
      {node("GatherElements", {"w", "ids"}, {"z"})},
  };
  for (const std::vector<Proto>& reader : readers) {
    Pair pair(tied(Dtype::float32, Head::transposed, random, reader));
    for (const std::int64_t count : {1, 2, 1, 2, 2, 3}) {
      std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
      for (std::int64_t& id : ids) id = random.between(-depth, depth - 1);
      pair.run(ids_of({1, count}, ids));
    }
    pair.expect_elements("w");
  }
}

TEST(PackedRows, BranchesShareThem) {
  Random random;
  const auto branch = [](std::string_view last) {
    const std::string y = "y" + std::string(last);
    return Graph{{node("Gather", {"w", "ids"}, {"r" + y}), node(last, {"r" + y}, {"h" + y}),
                  node("Transpose", {"w"}, {"t" + y}), node("MatMul", {"h" + y, "t" + y}, {y})},
                 {},
                 {value_info(y, Dtype::float32)}};
  };
  for (const bool has_more : {false, true}) {
    std::vector<Proto> nodes{
        node("If", {"cond"}, {"y"}, {graph_of("then_branch", branch("Tanh")), graph_of("else_branch", branch("Neg"))})};
    std::vector<Proto> outputs{any("y")};
    if (has_more) nodes.push_back(node("Transpose", {"w"}, {"z"}));
    if (has_more) outputs.push_back(any("z"));
    Pair pair({nodes,
               {value_info("cond", Dtype::boolean), value_info("ids", Dtype::int64)},
               outputs,
               {weight({words, depth}, random, "w")}});
    for (int i = 0; i < 3; ++i) {
      for (const bool condition : {true, false}) {
        Feeds feeds = ids_of({1, 2}, {random.between(-words, words - 1), 3});
        feeds.emplace_back("cond", must(in_type(floats({}, {condition ? 1.0F : 0.0F}), Dtype::boolean)));
        pair.run(feeds);
        if (!has_more) EXPECT_TRUE(pair.is_let_go("w"));
      }
    }
    pair.expect_elements("w");
  }
}

// ---- Layers ----

TEST(PackedWeights, OfRecurrentLayersAreInMemoryOnce) {
  Random random;
  constexpr std::int64_t input = 90;
  constexpr std::int64_t hidden = 150;
  for (const auto& [op, gates] : {std::pair("RNN", 1), std::pair("GRU", 3), std::pair("LSTM", 4)}) {
    for (const std::int64_t directions : {1, 2}) {
      for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16}) {
        Pair pair(
            {{node(op, {"x", "w", "r", "b"}, {"y"},
                   {attribute("direction", AttributeType::STRING).string(4, directions == 2 ? "bidirectional" : "reverse"),
                    int_of("hidden_size", hidden)})},
             {value_info("x", dtype)},
             {any("y")},
             {weight({directions, gates * hidden, input}, random, "w", dtype),
              weight({directions, gates * hidden, hidden}, random, "r", dtype),
              weight({directions, 2 * gates * hidden}, random, "b", dtype)}});
        for (const std::int64_t steps : {1, 3, 3, 5, 1}) pair.run({{"x", random_tensor({steps, 2, input}, random, dtype)}});
        for (const std::string_view name : {"w", "r"}) pair.expect_elements(name);
        pair.run({{"x", random_tensor({3, 2, input}, random, dtype)}});
        Pair once({{node(op, {"x", "w", "r"}, {"y"}, {int_of("hidden_size", hidden)})},
                   {value_info("x", dtype)},
                   {any("y")},
                   {weight({1, gates * hidden, input}, random, "w", dtype),
                    weight({1, gates * hidden, hidden}, random, "r", dtype)}});
        once.run({{"x", random_tensor({2, 1, input}, random, dtype)}});
        // Smaller ones, and those that are widened, stay.
        const std::size_t least = 64 * 1024;
        const bool is_rounded = dtype == Dtype::float16;
        const auto bytes = [rows = gates * hidden, dtype](std::int64_t columns) {
          return static_cast<std::size_t>(rows * columns) * item_size(dtype);
        };
        EXPECT_EQ(once.is_let_go("w"), !is_rounded && bytes(input) > least) << op << info(dtype).name;
        EXPECT_EQ(once.is_let_go("r"), !is_rounded && bytes(hidden) > least) << op << info(dtype).name;
        for (const std::string_view name : {"w", "r"}) once.expect_elements(name);
      }
    }
  }
}

TEST(PackedWeights, ThatALayerReadsTwiceOrANodeBesideItReads) {
  Random random;
  const std::vector<std::vector<Proto>> readers{
      {node("LSTM", {"x", "w", "w"}, {"y"}, {int_of("hidden_size", 100)}), node("Identity", {"x"}, {"z"})},
      {node("LSTM", {"x", "w", "w"}, {"y"}, {int_of("hidden_size", 100)}), node("Transpose", {"w"}, {"z"})},
      {node("LSTM", {"x", "w", "w"}, {"y"}, {int_of("hidden_size", 100)}), node("ReduceSum", {"w"}, {"z"})},
  };
  for (std::size_t i = 0; i < readers.size(); ++i) {
    Pair pair({readers[i], {value_info("x", Dtype::float32)}, {any("y"), any("z")}, {weight({1, 400, 100}, random, "w")}});
    for (const std::int64_t steps : {2, 2, 3, 3}) {
      pair.run({{"x", random_tensor({steps, 1, 100}, random)}});
      if (steps == 2) EXPECT_EQ(pair.is_let_go("w"), i != 1) << i;  // a small sum is computed once
    }
    pair.expect_elements("w");
  }
}

TEST(PackedWeights, OfTransposedConvolutionsAreInMemoryOnce) {
  Random random;
  struct Case {
    std::int64_t channels;
    std::int64_t filters;  // in a group
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> strides;
    std::int64_t groups = 1;
    std::vector<std::int64_t> dilations = {1, 1};
    bool is_let_go = true;
  };
  const Case all[] = {
      {40, 33, {5, 4}, {2, 2}},
      {40, 19, {3, 7}, {1, 3}, 2, {2, 2}},
      {90, 1, {16, 16}, {16, 16}},
      {40, 33, {4, 4}, {3, 2}, 1, {2, 3}},
      // Without the last phase, since the image has one place.
      {90, 20, {3, 3}, {3, 3}, 1, {1, 1}, false},
      // One channel in each group.
      {90, 2, {16, 16}, {2, 2}, 90, {1, 1}, false},
  };
  for (const Dtype dtype : {Dtype::float32, Dtype::float16}) {
    for (const Case& one : all) {
      const bool cuts = one.kernel[0] == 3 && one.kernel[1] == 3;
      const std::vector<std::int64_t> pads = cuts ? std::vector<std::int64_t>{1, 1, 1, 1} : std::vector<std::int64_t>(4, 0);
      Pair pair({{node("ConvTranspose", {"x", "w", "b"}, {"y"},
                       {ints_of("strides", one.strides), int_of("group", one.groups), ints_of("dilations", one.dilations),
                        ints_of("pads", pads)})},
                 {value_info("x", dtype)},
                 {any("y")},
                 {weight({one.channels, one.filters, one.kernel[0], one.kernel[1]}, random, "w", dtype),
                  weight({one.filters * one.groups}, random, "b", dtype)}});
      const std::size_t bytes =
          static_cast<std::size_t>(one.channels * one.filters * one.kernel[0] * one.kernel[1]) * item_size(dtype);
      for (const std::int64_t side : {1, 1, 3, 3, 2, 3}) {
        pair.run({{"x", random_tensor({1, one.channels, side, side}, random, dtype)}});
        if (side == 1) EXPECT_EQ(pair.is_let_go("w"), one.is_let_go && bytes > 64 * 1024) << bytes;
      }
      pair.expect_elements("w");
    }
  }
}

}  // namespace
}  // namespace broadloom::test::packed_rows_test
