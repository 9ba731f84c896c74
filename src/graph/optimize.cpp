#include "graph/optimize.h"

#include "graph/copier.h"
#include "graph/fusion.h"
#include "graph/relink.h"
#include "graph/simplifier.h"

namespace broadloom {
namespace {

// What constants may take that are computed beforehand: plans compute the others, and share views.
constexpr std::int64_t most_folded = std::int64_t{1} << 16;
constexpr double most_work = 1 << 22;

Status optimize(Model& model, bool& has_changed) {
  SimplifyOptions options;
  options.grows = true;
  options.keeps = Keeps::all;
  // A run does not look at these.
  for (const Pass pass : {Pass::extract_constant_to_initializer, Pass::eliminate_unused_initializer}) {
    options.skipped.set(static_cast<std::size_t>(pass));
  }
  SimplifyProgress progress;
  progress.growth_left = most_folded;
  progress.work_left = most_work;
  ShapeInference inference(model, true);
  BROADLOOM_CHECK(inference.run());
  Simplifier simplifier(model, inference, options, progress);
  BROADLOOM_CHECK(simplifier.run());
  has_changed = simplifier.has_changed();
  if (!has_changed) return {};
  BROADLOOM_CHECK(relink(model));
  for (Graph& graph : model.graphs()) join_nodes(graph);
  return {};
}

}  // namespace

std::unique_ptr<Model> optimized(const Model& model) {
  Result<std::unique_ptr<Model>> copy = copy_model(model);
  bool has_changed = false;
  if (copy && optimize(**copy, has_changed)) return has_changed ? std::move(*copy) : nullptr;
  Error::forget();
  return nullptr;
}

}  // namespace broadloom
