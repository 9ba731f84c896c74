// Attention as exporters write it. test::run compares each planned run with a run node by node, bit for bit.
#include "graph/run/plans.h"
#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::test::row_blocks_test {
namespace {

Tensor numbers(const Dims& dims, Random& random) {
  return floats(dims, random_floats(random, static_cast<std::size_t>(count_of(dims))));
}

// softmax(query * key^T) * value in one of the ways in which files have it.
class Attention {
 public:
  explicit Attention(Random& random) : random_(random) {}

  std::int64_t batch = 1;
  std::int64_t heads = 2;
  std::int64_t repeats = 1;  // heads of queries for each head of keys
  std::int64_t rows = 16;
  std::int64_t keys = 16;
  std::int64_t size = 8;

  void draw() {
    batch = random_.between(1, 2);
    heads = random_.between(1, 3);
    repeats = random_.one_in(3) ? random_.between(2, 3) : 1;
    rows = random_.one_in(4) ? random_.between(1, 8) : random_.between(9, 70);
    keys = random_.between(1, 90);
    size = random_.between(1, 20);
  }

  void check() {
    const std::int64_t all = heads * repeats;
    feed("query", {batch, rows, all, size}, {0, 2, 1, 3});
    std::string key = repeated(feed("key", {batch, keys, heads, size}, {0, 2, 1, 3}));
    const std::string value = repeated(feed("value", {batch, heads, keys, size}, {}));
    key = add("Transpose", {key}, {ints_of("perm", {0, 1, 3, 2})});
    std::string query = "query_heads";
    if (random_.one_in(3)) query = add("Mul", {query, "scale"});
    std::string scores = changed(add("MatMul", {query, key}), all);
    scores = add("Softmax", {scores}, {int_of("axis", random_.one_in(2) ? -1 : 3)});
    if (random_.one_in(4)) scores = add("Where", {add("IsNaN", {scores}), "zero", scores});
    if (random_.one_in(6)) output(scores);
    std::string y = add("MatMul", {scores, value});
    if (!random_.one_in(3)) {
      y = add("Transpose", {y}, {ints_of("perm", {0, 2, 1, 3})});
      y = reshaped(y, {batch, rows, all * size});
    }
    output(y);
    graph_.initializers.push_back(float_tensor({}, {0.3F}, "scale"));
    graph_.initializers.push_back(float_tensor({}, {0}, "zero"));
    graph_.initializers.push_back(float_tensor({}, {-1e9F}, "low"));
    const auto model = test::load(graph_);
    ModelRun runs(*model);
    for (int i = 0; i < 3; ++i) must(test::run(runs, feeds_));
  }

 private:
  std::string add(const char* op, std::vector<std::string> inputs, const std::vector<Proto>& attributes = {}) {
    std::string name = "v" + std::to_string(++count_);
    graph_.nodes.push_back(node(op, Names(inputs.begin(), inputs.end()), {name}, attributes));
    return name;
  }
  void output(const std::string& name) { graph_.outputs.push_back(value_info(name, Dtype::float32)); }
  std::string reshaped(const std::string& from, const std::vector<std::int64_t>& dims) {
    const std::string target = "target" + std::to_string(++count_);
    graph_.initializers.push_back(int64_tensor({static_cast<std::int64_t>(dims.size())}, dims, target));
    return add("Reshape", {from, target});
  }
  std::string feed(const std::string& name, const Dims& dims, const std::vector<std::int64_t>& order) {
    graph_.inputs.push_back(value_info(name, Dtype::float32));
    feeds_.emplace_back(name, numbers(dims, random_));
    if (order.empty()) return name;
    graph_.nodes.push_back(node("Transpose", {name}, {name + "_heads"}, {ints_of("perm", order)}));
    return name + "_heads";
  }
  std::string repeated(const std::string& from) {
    if (repeats == 1) return from;
    graph_.initializers.push_back(int64_tensor({1}, {2}, "axis" + from));
    const std::string wide = add("Unsqueeze", {from, "axis" + from});
    graph_.initializers.push_back(int64_tensor({5}, {1, 1, repeats, 1, 1}, "wide" + from));
    return reshaped(add("Expand", {wide, "wide" + from}), {batch, heads * repeats, keys, size});
  }
  // A scale, masks of several forms, and a view between them.
  std::string changed(std::string scores, std::int64_t all) {
    if (random_.one_in(2)) scores = add(random_.one_in(2) ? "Div" : "Mul", {scores, "scale"});
    if (random_.one_in(2)) {
      const Dims dims{random_.one_in(2) ? batch : 1, random_.one_in(2) ? all : 1, random_.one_in(2) ? rows : 1, keys};
      scores = add("Add", {scores, feed("added", dims, {})});
    }
    if (random_.one_in(3)) {
      const std::string view = reshaped(scores, {batch, 1, all, rows, keys});
      const std::string sum = add("Add", {view, feed("more", {all, rows, keys}, {})});
      scores = reshaped(sum, {batch, all, rows, keys});
    }
    if (random_.one_in(3)) {
      const std::string kept = add("Greater", {feed("chosen", {rows, keys}, {}), "zero"});
      scores = random_.one_in(2) ? add("Where", {kept, scores, "low"}) : add("Where", {kept, "low", scores});
    }
    return scores;
  }

  Random& random_;
  Graph graph_;
  Feeds feeds_;
  int count_ = 0;
};

TEST(RowBlocks, HaveTheBitsOfNodesOneByOne) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    Attention attention(random);
    attention.draw();
    attention.check();
  }
}

TEST(RowBlocks, MayBeManyOfAMatrix) {
  Random random;
  for (const std::int64_t rows : {64, 301}) {
    Attention attention(random);
    attention.rows = rows;
    attention.keys = 1100;
    attention.check();
  }
}

Graph plain() {
  return {{node("MatMul", {"q", "k"}, {"s"}), node("Softmax", {"s"}, {"w"}), node("MatMul", {"w", "v"}, {"y"})},
          {value_info("q", Dtype::float32), value_info("k", Dtype::float32), value_info("v", Dtype::float32)},
          {value_info("y", Dtype::float32)}};
}

TEST(RowBlocks, ScoresHaveNoMemory) {
  Random random;
  const auto model = test::load(plain());
  ModelRun runs(*model);
  const Feeds feeds{
      {"q", numbers({6, 500, 8}, random)}, {"k", numbers({6, 8, 500}, random)}, {"v", numbers({6, 500, 8}, random)}};
  const std::uint64_t before = Plans::block_bytes();
  must(runs.run(list_of(feeds)));
  EXPECT_LT(Plans::block_bytes() - before, 6U * 500 * 500 * sizeof(float) / 4);
}

TEST(RowBlocks, RepeatsOfKeysAreNotCopied) {
  Random random;
  Graph graph = plain();
  graph.nodes.insert(graph.nodes.begin(),
                     {node("Expand", {"few", "wide"}, {"more"}), node("Reshape", {"more", "dims"}, {"k"})});
  graph.inputs[1] = value_info("few", Dtype::float32);
  graph.initializers = {int64_tensor({4}, {2, 8, 1, 1}, "wide"), int64_tensor({3}, {16, 8, 1000}, "dims")};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  const Feeds feeds{
      {"q", numbers({16, 1, 8}, random)}, {"few", numbers({2, 1, 8, 1000}, random)}, {"v", numbers({16, 1000, 8}, random)}};
  const std::uint64_t before = Plans::block_bytes();
  must(runs.run(list_of(feeds)));
  EXPECT_LT(Plans::block_bytes() - before, 16U * 8 * 1000 * sizeof(float) / 2);
}

}  // namespace
}  // namespace broadloom::test::row_blocks_test
