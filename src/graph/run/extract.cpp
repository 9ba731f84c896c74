#include "graph/run/extract.h"

#include "core/memory.h"
#include "graph/fusion/fusion.h"
#include "graph/structure/copier.h"
#include "graph/structure/relink.h"

namespace broadloom {

Result<std::unique_ptr<Extract>> extract(const Model& model, std::span<const Value* const> values) {
  BROADLOOM_CHECK(require_memory(values.size() + model.graph->inputs.size(), 2 * sizeof(void*)));
  auto result = std::make_unique<Extract>();
  result->values.assign(values.begin(), values.end());
  BROADLOOM_TRY(part, copy_part(model, values));
  for (const GraphInput& input : part->graph->inputs) result->inputs.push_back(input.number);  // relink gives it another one
  for (Graph& graph : part->graphs()) {
    for (Initializer& initializer : graph.initializers) {
      if (initializer.tensor.has_elements()) BROADLOOM_CHECK(initializer.tensor.storage->bring_back());
    }
  }
  BROADLOOM_CHECK(relink(*part));
  for (Graph& graph : part->graphs()) BROADLOOM_CHECK(fuse_nodes(*part, graph));
  result->run = std::make_unique<ModelRun>(*part);
  result->model = std::move(part);
  return result;
}

}  // namespace broadloom
