// Random lives: tensors, views of them, models and their runs begin and end in random order. All that is alive has the elements
// of a shadow, and nothing is left at the end. Under sanitizers, LeakSanitizer sees what no counter does. BROADLOOM_FUZZ_CASES
// sets the length.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "ops/call/dense.h"
#include "ops/operators.h"
#include "support/cases.h"
#include "support/memory_limit.h"
#include "support/random_graphs.h"
#include "support/simplified.h"
#include "support/tensor_files.h"

namespace broadloom::op {
extern const Operator add, expand, reshape, slice, transpose;
}

namespace broadloom::test::soak_test {
namespace {

// A tensor of int64 with two axes, and its elements.
struct Life {
  Tensor tensor;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  List elements;
};

// Feeds, and the outcome of a run with them: an error's text, or bytes of each output.
struct Known {
  Feeds feeds;
  RunOutcome outcome;
};

struct Opened {
  std::string file;
  ModelPtr model;
  std::unique_ptr<ModelRun> runs;
  std::vector<Known> known;
};

// The one output of a call without attributes.
Result<Tensor> call(const Operator& op, const std::vector<const Tensor*>& inputs) {
  BROADLOOM_TRY(version, select_version(op, newest_opset));
  const Selection selection{op, *version, newest_opset};
  const Attributes attributes;
  ElementTypes types(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) types[i] = ElementType(inputs[i]->dtype);
  Dtypes output_types(1);
  BROADLOOM_CHECK(check_call(selection, types, output_types, attributes));
  Tensor output;
  Call call{*version, inputs, attributes, output_types, std::span(&output, 1)};
  BROADLOOM_CHECK(run_call(selection, call));
  return output;
}

class Soak {
 public:
  void step() {
    switch (random_.between(0, 15)) {
      case 0:
      case 1: make(); break;
      case 2:
      case 3:
      case 4:
      case 5: view(); break;
      case 6: add(); break;
      case 7: write(); break;
      case 8: file(); break;
      case 9: drop(lives_, random_.between(1, 4)); break;
      case 10: open(); break;
      case 11: simplify_one(); break;
      case 12: drop(models_, 1); break;
      case 13: drop(results_, random_.between(1, 6)); break;
      default: run_one(); break;
    }
    if (lives_.size() > 64) drop(lives_, 16);
    if (models_.size() > 12) drop(models_, 2);
    if (results_.size() > 64) drop(results_, 32);
  }

  void check_all() const {
    for (const Life& life : lives_) check(life);
    for (const auto& [tensor, bytes] : results_) EXPECT_TRUE(test::bytes_of(tensor) == bytes);
  }

 private:
  static void check(const Life& life) {
    ASSERT_EQ(list(life.tensor.dims()), (List{life.rows, life.columns}));
    ASSERT_EQ(elements<std::int64_t>(life.tensor), life.elements);
  }

  void keep(Result<Tensor> tensor, std::int64_t rows, std::int64_t columns, List elements) {
    lives_.push_back({must(std::move(tensor)), rows, columns, std::move(elements)});
    if (random_.one_in(2)) check(lives_.back());
  }

  template <class T>
  void drop(std::vector<T>& all, std::int64_t count) {
    for (; count > 0 && !all.empty(); --count) {
      std::swap(all[random_.below(all.size())], all.back());
      all.pop_back();
    }
  }

  void make() {
    const std::int64_t rows = random_.between(0, 6);
    const std::int64_t columns = random_.one_in(40) ? 20000 : random_.between(1, 6);
    List elements;
    for (std::int64_t i = 0; i < rows * columns; ++i) elements.push_back(random_.between(-9, 9));
    const SizeList words(elements);
    keep(int64s(dims_of({rows, columns}), words), rows, columns, elements);
  }

  const Life* some() { return lives_.empty() ? nullptr : &lives_[random_.below(lives_.size())]; }

  // The elements at rows and columns that a function of the result's gives.
  template <class Place>
  static List picked(const Life& life, std::int64_t rows, std::int64_t columns, const Place& place) {
    List elements;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column)
        elements.push_back(life.elements.at(static_cast<std::size_t>(place(row, column))));
    }
    return elements;
  }

  void view() {
    const Life* found = some();
    if (found == nullptr) return;
    const Life life = *found;
    const auto [tensor, rows, columns, elements] = life;
    switch (random_.between(0, 3)) {
      case 0:
        return keep(call(op::transpose, {&tensor}), columns, rows,
                    picked(life, columns, rows, [&](auto row, auto column) { return column * life.columns + row; }));
      case 1: {
        if (elements.empty()) return;  // a 0 in a shape stands for the size that was
        const Tensor to = int64s({2}, SizeList(List{columns, rows}));
        return keep(call(op::reshape, {&tensor, &to}), columns, rows, elements);
      }
      case 2: {
        const Tensor starts = int64s({1}, {columns - 1});
        const Tensor ends = int64s({1}, {-1000000});
        const Tensor axes = int64s({1}, {1});
        const Tensor steps = int64s({1}, {-1});
        return keep(call(op::slice, {&tensor, &starts, &ends, &axes, &steps}), rows, columns,
                    picked(life, rows, columns, [&](auto row, auto column) { return (row + 1) * life.columns - 1 - column; }));
      }
      default: {
        if (elements.empty() || rows * columns > 100) return;
        const Tensor axes = int64s({1}, {1});
        const Tensor from = int64s({1}, {0});
        const Tensor to = int64s({1}, {1});
        const Tensor first = must(call(op::slice, {&tensor, &from, &to, &axes}));
        const std::int64_t count = random_.between(1, 50);
        const Tensor shape = int64s({2}, SizeList(List{rows, count}));
        return keep(call(op::expand, {&first, &shape}), rows, count,
                    picked(life, rows, count, [&](auto row, auto) { return row * life.columns; }));
      }
    }
  }

  void add() {
    const Life* found = some();
    if (found == nullptr) return;
    const Life life = *found;
    List sums;
    for (const std::int64_t one : life.elements) sums.push_back(static_cast<std::int64_t>(2 * static_cast<std::uint64_t>(one)));
    keep(call(op::add, {&life.tensor, &life.tensor}), life.rows, life.columns, std::move(sums));
  }

  // Elements that are written belong to one tensor alone.
  void write() {
    if (lives_.empty()) return;
    Life& life = lives_[random_.below(lives_.size())];
    if (life.elements.empty() || life.elements.size() > 1000) return;
    must(expose(life.tensor));
    const std::size_t place = random_.below(life.elements.size());
    life.elements[place] = random_.between(-99, 99);
    reinterpret_cast<std::int64_t*>(life.tensor.data())[place] = life.elements[place];
  }

  void file() {
    const Life* found = some();
    if (found == nullptr) return;
    const Life life = *found;
    keep(read_tensor(written(life.tensor)), life.rows, life.columns, life.elements);
  }

  void open() {
    std::string file = GraphMaker(random_).make();
    Result<ModelPtr> model = read_model(file);
    if (!model) return Error::forget();
    auto runs = std::make_unique<ModelRun>(**model);
    models_.push_back({std::move(file), std::move(*model), std::move(runs), {}});
  }

  Opened* some_model() {
    if (models_.empty()) open();
    return models_.empty() ? nullptr : &models_[random_.below(models_.size())];
  }

  static RunOutcome outcome_of(ModelRun& runs, const Feeds& feeds, bool optimizes) {
    Result<std::vector<Tensor>> results = runs.run(list_of(feeds), {optimizes});
    RunOutcome outcome;
    outcome.error = error_text(results);
    if (results) outcome.outputs = std::move(*results);
    if (!results) Error::forget();
    return outcome;
  }

  // A planned run with feeds of other sizes, or of earlier ones, whose results must be the same again.
  void run_one() {
    Opened* opened = some_model();
    if (opened == nullptr) return;
    if (opened->known.size() < 6 && (opened->known.empty() || random_.one_in(3))) {
      Feeds feeds = feeds_for(*opened->model, random_);
      RunOutcome outcome = outcome_of(*opened->runs, feeds, false);
      opened->known.push_back({std::move(feeds), std::move(outcome)});
    }
    const Known& known = opened->known[random_.below(opened->known.size())];
    RunOutcome outcome = outcome_of(*opened->runs, known.feeds, !random_.one_in(8));
    ASSERT_EQ(outcome.error, known.outcome.error);
    if (!outcome.error.empty()) return;
    expect_same_bits(outcome.outputs, known.outcome.outputs);
    for (Tensor& output : outcome.outputs) {
      if (!random_.one_in(4) || output.count() > 10000) continue;
      Bytes bytes = test::bytes_of(output);
      results_.emplace_back(std::move(output), std::move(bytes));
    }
  }

  void simplify_one() {
    Opened* opened = some_model();
    if (opened == nullptr || opened->known.empty()) return;
    Wish wish;
    wish.unroll = random_.between(0, 3);
    wish.value_info = random_.one_in(2);
    Result<Simplified> result = try_simplify(opened->file, wish);
    if (!result) return Error::forget();
    auto runs = std::make_unique<ModelRun>(*result->model);
    for (const Known& known : opened->known) {
      if (!known.outcome.error.empty()) continue;
      const RunOutcome outcome = outcome_of(*runs, known.feeds, true);
      ASSERT_EQ(outcome.error, "");
      expect_same_bits(outcome.outputs, known.outcome.outputs);
    }
    // The simplified model takes the place of its origin, which ends. Simplification may remove a node that fails.
    if (!random_.one_in(2)) return;
    opened->runs = std::move(runs);
    opened->model = std::move(result->model);
    std::erase_if(opened->known, [](const Known& known) { return !known.outcome.error.empty(); });
  }

  Random random_;
  std::vector<Life> lives_;
  std::vector<Opened> models_;
  std::vector<std::pair<Tensor, Bytes>> results_;
};

TEST(Soak, RandomLivesHaveTheirElementsAndLeaveNothing) {
  const MemoryLimit limit;
  const std::size_t before = Storage::bytes_in_use();
  int steps = 0;
  {
    Soak soak;
    for (; steps < cases() && !testing::Test::HasFailure(); ++steps) {
      soak.step();
      if (steps % 100 == 99) soak.check_all();
    }
    soak.check_all();
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
  std::printf("%d steps\n", steps);
}

}  // namespace
}  // namespace broadloom::test::soak_test
