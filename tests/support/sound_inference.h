// Whether inferred sizes hold in a run.
#pragma once

#include <map>

#include "graph/infer/shape_inference.h"
#include "support/models.h"

namespace broadloom::test {

// Compares inferred sizes with those of a run. Equal inferred sizes must be equal in the run, and a name must have the
// value from the inputs.
inline void expect_sound(const Model& model, const ShapeInference& inference, const Feeds& feeds,
                         const std::vector<Tensor>& made) {
  std::map<std::int64_t, std::int64_t> seen;  // by the size as a word
  const auto hold = [&](const broadloom::Value& value, const Tensor& tensor) {
    const Tensor& known = inference[value];
    if (!known.is_ranked() || inference.is_only_declared(value)) return;
    ASSERT_EQ(known.dims().size(), tensor.dims().size()) << value.name;
    const auto same = [&](broadloom::Size size, std::int64_t is) {
      if (size.is_unknown()) return;
      const std::int64_t wanted = size.is_number() ? size.number() : seen.try_emplace(size.word(), is).first->second;
      ASSERT_EQ(wanted, is) << value.name;
    };
    for (std::size_t i = 0; i < known.dims().size(); ++i) same(known.dims()[i], tensor.run_dims()[i]);
    if (tensor.dtype != Dtype::int64 || !known.has_elements() || known.dims().size() > 1 || !are_numbers(known.dims())) return;
    const auto wanted = elements<broadloom::Size>(known);
    const List is = elements<std::int64_t>(tensor);
    for (std::size_t i = 0; i < is.size(); ++i) same(wanted[i], is[i]);
  };
  for (const auto& [name, tensor] : feeds) hold(*model.find(name), tensor);
  std::size_t i = 0;
  for (const GraphOutput& output : model.graph->outputs) hold(*output.value, made[i++]);
}

}  // namespace broadloom::test
