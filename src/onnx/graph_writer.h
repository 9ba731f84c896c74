// Writes a model's graph. Unchanged records are copied from the file that it was read from.
#pragma once

#include <initializer_list>
#include <vector>

#include "onnx/file_record.h"
#include "onnx/model_writer.h"
#include "onnx/wire_writer.h"

namespace broadloom {

using Fields = std::initializer_list<std::uint32_t>;

// Writes from the end of the file to its start: a length stands before the bytes that it counts.
class GraphWriter {
 public:
  GraphWriter(Model& model, const ShapeInference& inference, std::span<const std::string_view> sizes, Source& source,
              const WriteOptions& options, WireWriter& to, std::vector<Hole>& holes)
      : model_(model), inference_(inference), sizes_(sizes), source_(source), options_(options), to_(to), holes_(holes) {}

  // Writes the whole file.
  void write();
  // Declares the outputs in the model as they are in the file.
  void declare_outputs();

 private:
  // Copies a part of the source, with its holes.
  void copy(std::string_view part);
  // Copies the fields of a message, except these.
  void copy_others(const FileRecord* record, Fields left_out) { copy_others(message_of(record), left_out); }
  void copy_others(WireReader message, Fields left_out);
  // The message that the file has of a record.
  WireReader message_of(const FileRecord* record) const { return {source_, record->message, "", -1}; }

  void write_graph(const Graph& graph, WireReader message);
  void write_node(const Node& node);
  void write_attribute(const Node& node, const WrittenAttribute& attribute);
  void write_initializer(const Initializer& initializer);
  void write_tensor(const Initializer& initializer);
  // How much of a value's declaration stays, beside what inference knows.
  enum class Declared : std::uint8_t {
    corrected,  // a number that does not follow goes
    improved,   // it stays: somebody asked for it
    kept,       // all of it stays as it is
  };
  struct Described {
    std::vector<Dimension> dims;
    bool has_shape = false;
    Dtype dtype = Dtype::undefined;
    bool is_same = false;  // as what the file declares
  };
  Described describe(const Value& value, const ValueInfo& info, Declared declared) const;
  void write_info(std::uint32_t field, const Value& value, const ValueInfo* info, Declared declared);
  void write_type(const Described& known);
  void write_values(const Graph& graph);

  Model& model_;
  const ShapeInference& inference_;
  std::span<const std::string_view> sizes_;  // names
  Source& source_;
  const WriteOptions& options_;
  WireWriter& to_;
  std::vector<Hole>& holes_;
};

}  // namespace broadloom
