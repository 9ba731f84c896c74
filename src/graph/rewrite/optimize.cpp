#include "graph/rewrite/optimize.h"

#include "core/count.h"
#include "graph/fusion/fusion.h"
#include "graph/rewrite/simplifier.h"
#include "graph/structure/copier.h"
#include "graph/structure/relink.h"

namespace broadloom {
namespace {

// The limit of bytes for folded constants. Plans compute larger ones, and share views.
constexpr std::int64_t most_folded = std::int64_t{1} << 16;
constexpr double most_work = 1 << 22;

Status optimize(Model& model, bool& has_gained) {
  SimplifyOptions options;
  options.grows = options.is_for_runs = true;
  options.keeps = Keeps::all;
  SimplifyProgress progress;
  progress.growth_left = most_folded;
  progress.work_left = most_work;
  ShapeInference inference(model, true);
  BROADLOOM_CHECK(inference.run());
  BROADLOOM_CHECK(simplify(model, inference, options, progress));
  // Merging initializers does not make a run faster.
  has_gained = progress.steps > progress.counts[place_of(Pass::eliminate_duplicate_initializer)];
  if (!has_gained) return {};
  BROADLOOM_CHECK(relink(model));
  for (Graph& graph : model.graphs()) BROADLOOM_CHECK(fuse_nodes(model, graph));
  return {};
}

}  // namespace

std::unique_ptr<Model> optimized(const Model& model) {
  Result<std::unique_ptr<Model>> copy = copy_model(model);
  bool has_gained = false;
  if (copy && optimize(**copy, has_gained)) return has_gained ? std::move(*copy) : nullptr;
  Error::forget();
  return nullptr;
}

}  // namespace broadloom
