// Runs, in which each allocation of the core fails once, or in which the time is over at each question.
#pragma once

#include "graph/infer/shape_inference.h"
#include "graph/run/plans.h"
#include "support/cases.h"
#include "support/failing_allocations.h"
#include "support/simplified.h"

namespace broadloom::test {

inline std::vector<ModelRun::Feed> feeds_of(const Model& model, const std::vector<Tensor>& inputs) {
  std::vector<ModelRun::Feed> feeds;
  for (const GraphInput& input : model.graph->inputs) {
    if (feeds.size() < inputs.size()) feeds.push_back({input.info.name, &inputs[feeds.size()]});
  }
  return feeds;
}

// The failing call's numbers grow faster than they are: a long run has thousands. A short run of the tests takes a third of
// them.
inline std::size_t next_failing(std::size_t number) { return number + 1 + number / (is_deep() ? 64 : 16); }

using Outputs = Result<std::vector<Tensor>>;

// Lets each call of `work` to malloc fail, or what else `Failing` makes fail. `work` has the outputs `wanted` where no failure
// is seen.
template <class Failing = FailingAllocations, class Work>
void fail_each(const Work& work, const std::vector<Tensor>& wanted, int& failures) {
  for (const bool all : Failing::ways) {
    for (std::size_t number = 1;; number = next_failing(number)) {
      const std::size_t before = Storage::bytes_in_use();
      bool has_failed = false;
      {
        const Outputs outputs = [&] {
          const Failing failing(number, all);
          Outputs made = work();
          has_failed = Failing::has_failed();
          return made;
        }();
        if (outputs) {
          expect_same_bits(*outputs, wanted);
        } else {
          EXPECT_EQ(outputs.error()->code, Failing::code) << outputs.error()->message.view();
          Error::forget();
          ++failures;
        }
      }
      Reclaimable::release_all();
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << "call " << number << (all ? " and all behind it" : "");
        return;
      }
      EXPECT_LE(Storage::bytes_in_use(), before);
      if (!has_failed) break;
    }
  }
}

// Whether the model has a random operator: its results differ from run to run.
inline bool is_random(const Model& model) {
  for (const broadloom::Graph& graph : model.graphs()) {
    for (const Node& node : graph.nodes) {
      if (node.op == nullptr || node.op->traits.is_random) return true;
    }
  }
  return false;
}

// Reads, infers, runs, plans and simplifies the model so. There is that error or the right result, nothing stays, and
// the next run is right. Does nothing with a model that does not run.
template <class Failing = FailingAllocations>
void fail_each_run(const std::string& file, const std::vector<Tensor>& inputs, int& failures) {
  const auto model = read_model(file);
  if (!model) return Error::forget();
  if (is_random(**model)) return;
  const auto feeds = feeds_of(**model, inputs);
  ModelRun runs(**model);
  const Outputs reference = runs.run(feeds, {false});
  if (!reference) return Error::forget();
  const auto whole = [&](bool optimizes) {
    return [&, optimizes]() -> Outputs {
      BROADLOOM_TRY(read, read_model(file));
      ShapeInference inference(*read);
      BROADLOOM_CHECK(inference.run());
      return ModelRun(*read).run(feeds_of(*read, inputs), {optimizes});
    };
  };
  fail_each<Failing>(whole(false), *reference, failures);
  fail_each<Failing>(whole(true), *reference, failures);
  must(runs.run(feeds));  // what is made once
  Reclaimable::release_all();
  // One model for all runs: what a failed run leaves must not harm the next.
  fail_each<Failing>([&] { return runs.run(feeds); }, *reference, failures);
  expect_same_bits(must(runs.run(feeds)), *reference);
  const auto simplified = [&]() -> Outputs {
    BROADLOOM_TRY(smaller, try_simplify(file));
    return ModelRun(*smaller.model).run(feeds_of(*smaller.model, inputs));
  };
  fail_each<Failing>(simplified, *reference, failures);
}

}  // namespace broadloom::test
