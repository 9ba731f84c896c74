// The request for a simplified model: sizes, shapes, constants and outputs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graph/rewrite/simplify_options.h"
#include "graph/run/feed_values.h"
#include "graph/structure/model.h"

namespace broadloom {

// A number for a symbolic size.
struct FixedSize {
  std::string_view name;
  std::int64_t size = 0;
};

// The request to a Simplification, with the options of simplify(). Lists and names lie in the Simplification's arena.
struct SimplifyRequest {
  struct Shape {
    std::string_view input;
    std::span<Dimension> dims;  // a dim without number and name stays as declared
  };
  struct Value {
    std::string_view input;
    Tensor tensor;
    FeedForm form = FeedForm::tensor;  // anything else: a value that gets the declared type
  };
  std::vector<FixedSize> sizes;
  std::span<Shape> shapes;
  std::vector<Value> values;
  std::span<std::string_view> outputs;
  bool has_outputs = false;           // false: all outputs are kept
  std::optional<double> most_growth;  // bytes; without it, usual_growth
  bool writes_value_info = false;
  SimplifyOptions options;
};

// Checks a request against the file, and applies it to its model, which may be read several times.
class RequestedModel {
 public:
  RequestedModel(Arena& arena, SimplifyRequest& request) : arena_(arena), request_(request) {}

  // Checks the request, and converts its values to the declared types.
  Status check(Model& model);
  // Before first_ir_version_with_defaults, an input with an initializer is a constant.
  Status apply(Model& model);

 private:
  Status check_names(const Model& model);
  Status check_shapes(Model& model);
  Status check_size(const ValueInfo& info, std::size_t axis, const Dimension& declared, std::int64_t size);
  Status check_given_name(const ValueInfo& info, std::size_t axis, std::string_view name, std::int64_t size);
  void fix_sizes(Model& model);
  Status set_shapes(Model& model);
  Status set_values(Model& model);
  void choose_outputs(Model& model);
  Status find_needed_annotations(Model& model);
  const FixedSize* find_size(std::string_view name) const;
  const FixedSize* find_given(std::string_view name) const;
  Status fix_size(std::string_view name, std::int64_t size);

  Arena& arena_;
  SimplifyRequest& request_;
  NameIndex sizes_;                     // names of request.sizes, by their numbers
  std::vector<FixedSize> given_sizes_;  // names in request.shapes that are numbers: for axes that are named so there
  NameIndex given_names_;               // of given_sizes_, by their numbers
};

}  // namespace broadloom
