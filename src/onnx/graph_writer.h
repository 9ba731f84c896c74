// Writes a model's graph. Unchanged records are copied from the file that it was read from.
#pragma once

#include <initializer_list>
#include <vector>

#include "onnx/model_writer.h"
#include "onnx/wire_writer.h"

namespace broadloom {

using Fields = std::initializer_list<std::uint32_t>;

// Writes from the end of the file to its start, because a length comes before the bytes that it counts.
class GraphWriter {
 public:
  // `inference` has what is proved of sizes, and `claims` what follows if equal names are equal sizes, as the file says.
  GraphWriter(Model& model, const ShapeInference& inference, const ShapeInference& claims,
              std::span<const std::string_view> sizes, Source& source, const WriteOptions& options, WireWriter& to,
              std::vector<ExternalSpan>& spans)
      : model_(model),
        inference_(inference),
        claims_(claims),
        sizes_(sizes),
        source_(source),
        options_(options),
        to_(to),
        spans_(spans) {}

  // Writes the whole file.
  void write();
  // Updates the declared outputs of the model to match the written file.
  Status declare_outputs();

 private:
  // Whether there is memory for bookkeeping; else the file has an error.
  bool has_memory(std::size_t count, std::size_t bytes_each);
  // Copies a part of the source, with its external spans.
  void copy(std::string_view part);
  // Copies the fields of a message, except those in `left_out`.
  void copy_others(std::string_view message, Fields left_out) { copy_others(message_at(message), left_out); }
  void copy_others(WireReader message, Fields left_out);
  // A message in the source.
  WireReader message_at(std::string_view message) const { return {source_, message, "", -1}; }
  std::string_view message_of(std::uint32_t record) const { return model_.records.others[record].message; }

  void write_graph(const Graph& graph, WireReader message);
  void write_node(const Node& node);
  void write_attribute(const Node& node, const WrittenAttribute& attribute);
  void write_initializer(const Initializer& initializer);
  void write_tensor(const Initializer& initializer);
  void write_annotation(const Annotation& annotation);
  // How a value's declaration is combined with shape inference.
  enum class Declared : std::uint8_t {
    corrected,  // a declared number is removed where inference has an expression of named sizes
    improved,   // such a number stays, because the user declared it
    kept,       // the declaration stays as it is
  };
  struct Described {
    std::vector<Dimension> dims;
    bool has_shape = false;
    Dtype dtype = Dtype::undefined;
    bool is_same = false;  // as the file's declaration
  };
  Described describe(const Value& value, const ValueInfo& info, Declared declared) const;
  void write_info(std::uint32_t field, const Value& value, const ValueInfo* info, Declared declared);
  void write_type(const Described& known);
  void write_values(const Graph& graph);

  Model& model_;
  const ShapeInference& inference_;
  const ShapeInference& claims_;
  std::span<const std::string_view> sizes_;  // names
  Source& source_;
  const WriteOptions& options_;
  WireWriter& to_;
  std::vector<ExternalSpan>& spans_;
};

}  // namespace broadloom
