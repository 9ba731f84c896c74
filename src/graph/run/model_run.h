// Runs of a model: node by node, or by plans of an optimised copy.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/execute/profile.h"
#include "graph/run/plans.h"
#include "graph/structure/model.h"

namespace broadloom {

struct Extract;

// The runs of one model, and what they keep: plans, the optimised copy, and parts that compute other outputs.
class ModelRun {
 public:
  // The model must outlive it, and its graph must not change.
  explicit ModelRun(const Model& model);
  ModelRun(const ModelRun&) = delete;
  ModelRun& operator=(const ModelRun&) = delete;
  ~ModelRun();

  struct Feed {
    std::string_view name;
    const Tensor* tensor;
  };

  // Runs the graph. Returns the tensors of its outputs in order. Feeds must cover all inputs without a default, and feeds and
  // defaults must have the declared types, ranks and sizes. After an error, nothing stays in memory.
  Result<std::vector<Tensor>> run(std::span<const Feed> feeds) { return run(feeds, {optimizes}); }

  struct Options {
    bool optimizes = true;  // whether nodes are fused; results have the same bits either way
    Profile* profile = nullptr;
    // Names of values of the graph that are computed instead of its outputs, with the nodes and inputs that they need and no
    // others. Empty: the outputs.
    std::span<const std::string_view> outputs = {};
  };
  Result<std::vector<Tensor>> run(std::span<const Feed> feeds, const Options& options);

  // The checks of a run, of these feeds alone.
  Status check(std::span<const Feed> feeds);
  // Whether the output is the input with more behind it, by a Concat. After the first run.
  bool appends(std::string_view input, std::size_t output) const;

  const Model& model() const { return model_; }

  bool optimizes = true;  // the default for runs

 private:
  // A tensor for each input, nullptr for one that was not fed.
  using Inputs = std::span<const Tensor* const>;

  void warn_of_sizes(const ValueInfo& info, const Tensor& tensor, std::span<std::int64_t> sizes);
  Status check_supported() const;
  Status check_inputs(Inputs inputs, bool is_complete);
  Status find_inputs(std::span<const Feed> feeds, std::span<const Tensor*> inputs) const;
  Status bind(Inputs inputs, std::span<Tensor> frame);
  Result<std::vector<Tensor>> run_inputs(Inputs inputs, const Options& options);
  Result<std::vector<Tensor>> run_planned(Inputs inputs, Profile* profile);
  Result<std::vector<Tensor>> run_by_node(Inputs inputs, const Options& options);
  Result<std::vector<Tensor>> run_extract(Inputs inputs, const Options& options);
  Result<Extract*> find_extract(std::span<const std::string_view> names);
  Result<const Value*> find_value(std::string_view name) const;

  const Model& model_;
  // After the first run: an optimised copy that runs in the model's place, if that has fewer nodes; and the plans of the one
  // that runs.
  std::unique_ptr<Model> optimized_;
  std::unique_ptr<Plans> plans_;
  std::vector<std::unique_ptr<Extract>>
      extracts_;                         // for other outputs than the graph's; the one that was last used is the first
  ModelRun* whole_ = nullptr;            // for an extract: the runs of the whole model, which has the warnings
  std::vector<bool> has_several_sizes_;  // by the number of a size's name: it stood for several in a run
};

}  // namespace broadloom
