// Simplifying a model file.
#include <memory>
#include <vector>

#include "core/memory.h"
#include "descriptions/page_writer.h"
#include "frame.h"
#include "functions.h"
#include "onnx/simplification.h"
#include "ops/dense.h"
#include "tensors.h"
#include "value_infos.h"

namespace broadloom {

namespace {

using SimplificationPtr = std::unique_ptr<Simplification>;

Simplification* simplification_at(double address) {
  return reinterpret_cast<Simplification*>(static_cast<std::uintptr_t>(address));
}

// -> the simplification; 0 when it is done; 1 and what is wanted: to which address, from which offset, how many bytes, of which
// file beside the model ("": the model's own, or for offset -1 - n chunk n); or 2 and what is to be kept as the next chunk: its
// address, its bytes
Status go_on(SimplificationPtr simplification) {
  using State = Simplification::State;
  BROADLOOM_TRY(state, simplification->next());
  BROADLOOM_CHECK(write_page([&](PageWriter& to) {
    to.number(static_cast<double>(reinterpret_cast<std::uintptr_t>(simplification.get())));
    to.number(static_cast<double>(state));
    if (state == State::wants_part) {
      const Simplification::Part part = simplification->part();
      to.number(static_cast<double>(reinterpret_cast<std::uintptr_t>(part.to)));
      to.number(part.offset);
      to.number(part.length);
      to.string(part.location);
    } else if (state == State::gives_chunk) {
      const std::span<std::byte> chunk = simplification->chunk();
      to.number(static_cast<double>(reinterpret_cast<std::uintptr_t>(chunk.data())));
      to.number(static_cast<double>(chunk.size()));
    }
  }));
  static_cast<void>(simplification.release());
  return {};
}

// Names lie on the page, which the next call overwrites: they are copied.
Status read_request(FrameReader& frame, Arena& arena, SimplifyRequest& request) {
  BROADLOOM_TRY(sizes, allocate_vector<FixedSize>(frame.size()));
  for (FixedSize& size : sizes) {
    size.name = arena.copy(frame.string());
    size.size = static_cast<std::int64_t>(frame.number());
  }
  request.sizes = std::move(sizes);
  const std::size_t shapes = frame.size();
  BROADLOOM_CHECK(require_memory(shapes, sizeof(SimplifyRequest::Shape)));
  request.shapes = arena.make_list<SimplifyRequest::Shape>(shapes);
  for (SimplifyRequest::Shape& shape : request.shapes) {
    shape.input = arena.copy(frame.string());
    const std::size_t rank = frame.size();
    BROADLOOM_CHECK(require_memory(rank, sizeof(Dimension)));
    shape.dims = arena.make_list<Dimension>(rank);
    for (Dimension& dim : shape.dims) {
      dim.value = static_cast<std::int64_t>(frame.number());
      dim.name = arena.copy(frame.string());
    }
  }
  BROADLOOM_TRY(values, allocate_vector<SimplifyRequest::Value>(frame.size()));
  for (SimplifyRequest::Value& value : values) {
    value.input = arena.copy(frame.string());
    BROADLOOM_TRY(tensor, share(tensor_of(frame.handle())));
    value.tensor = std::move(tensor);
  }
  request.values = std::move(values);
  request.has_outputs = frame.number() != 0;
  const std::size_t outputs = frame.size();
  BROADLOOM_CHECK(require_memory(outputs, sizeof(std::string_view)));
  request.outputs = arena.make_list<std::string_view>(outputs);
  for (std::string_view& output : request.outputs) output = arena.copy(frame.string());
  request.most_growth = frame.number();
  request.options.most_iterations = static_cast<std::int64_t>(frame.number());
  request.options.fuses_inexact = frame.number() != 0;
  request.options.gets_external = frame.number() != 0;
  request.writes_value_info = frame.number() != 0;
  request.options.grows = frame.number() != 0;
  return {};
}

}  // namespace

// bytes of the file; sizes: their number, then name and number of each; shapes: their number, then for each an input, its rank,
// and for each axis a number or -1 and a name or ""; values: their number, then input and handle of each; whether there is a
// list of outputs, their number, their names; bytes of growth; iterations of loops; whether inexact fusions are done, files
// beside the model will be given, value_info is written, results may take the bytes of growth for themselves -> as go_on has it
double startSimplification(double size) {
  return finish([&]() -> Status {
    if (size > INT32_MAX) return fail(Code::InvalidArgument, "the file has {} bytes; 2147483647 are the most", size);
    const auto bytes = static_cast<std::size_t>(size);
    BROADLOOM_CHECK(require_memory(bytes / SplitFile::usual_hole, sizeof(Hole)));
    auto simplification = std::make_unique<Simplification>(bytes);
    FrameReader frame;
    BROADLOOM_CHECK(read_request(frame, simplification->arena, simplification->request));
    return go_on(std::move(simplification));
  }());
}

// simplification, of which what was wanted is done -> as go_on has it. After an error it is freed.
double continueSimplification(double handle) { return finish(go_on(SimplificationPtr(simplification_at(handle)))); }

namespace {

void write_operators(PageWriter& to, const std::vector<OperatorCount>& operators) {
  to.number(static_cast<double>(operators.size()));
  for (const OperatorCount& one : operators) {
    to.string(one.domain);
    to.string(one.op_type);
    to.number(one.count);
  }
}

void write_node(PageWriter& to, const Node* node) {
  static const Node nothing;
  if (node == nullptr) node = &nothing;
  Text label;
  append_label(label, *node);
  to.string(node->op_type);
  to.string(label.view());
}

// kind, name of the value, operator and label of the node that makes it, axis or -1, rank, name of the size
void write_cause(PageWriter& to, const Cause& cause) {
  to.number(static_cast<double>(cause.kind));
  to.string(cause.value == nullptr ? std::string_view() : cause.value->name);
  write_node(to, cause.value == nullptr ? nullptr : cause.value->producer);
  to.number(cause.axis);
  const bool has_rank = cause.value != nullptr && cause.value->input != nullptr;
  to.number(has_rank ? static_cast<double>(cause.value->input->info.dims.size()) : 0.0);
  to.string(cause.name);
}

}  // namespace

// simplification that is done -> pieces: their number, then for each an address or 0, its origin, its bytes; bytes before and
// after; operators before and after: their number, then domain, name and count of each; what was done to how many nodes, by the
// numbers of Pass; nodes that the limits left; sizes: their number, then for each a cause, nodes, nodes of shapes; graphs:
// their number, then for each operator and label, 0, 1 and a cause, or 2 for a trip count that is known; warnings, files beside
// the model, names of sizes, inputs, outputs: their number, then each
double describeSimplification(double handle) {
  return finish([&]() -> Status {
    const Simplification& done = *simplification_at(handle);
    BROADLOOM_CHECK(require_memory());
    const std::vector<Simplification::Piece> pieces = done.pieces();
    BROADLOOM_TRY(names, size_names(done.model()));
    BROADLOOM_TRY(files, done.files());
    return write_page([&](PageWriter& to) {
      to.number(static_cast<double>(pieces.size()));
      for (const Simplification::Piece& piece : pieces) {
        to.number(static_cast<double>(reinterpret_cast<std::uintptr_t>(piece.bytes)));
        to.number(piece.origin);
        to.number(piece.length);
      }
      to.number(done.bytes_before());
      to.number(done.bytes_after());
      write_operators(to, done.operators_before());
      write_operators(to, done.operators_after());
      for (const std::int64_t count : done.progress().counts) to.number(count);
      to.number(done.progress().too_large);
      to.number(static_cast<double>(done.reasons().sizes.size()));
      for (const DynamicSize& size : done.reasons().sizes) {
        write_cause(to, size.cause);
        to.number(size.nodes);
        to.number(size.shape_nodes);
      }
      to.number(static_cast<double>(done.reasons().graphs.size()));
      for (const KeptGraph& graph : done.reasons().graphs) {
        write_node(to, graph.node);
        to.number(graph.is_known ? 2.0 : graph.has_cause ? 1.0 : 0.0);
        if (graph.has_cause && !graph.is_known) write_cause(to, graph.cause);
      }
      to.number(static_cast<double>(done.warnings().size()));
      for (const std::string_view warning : done.warnings()) to.string(warning);
      to.number(static_cast<double>(files.size()));
      for (const std::string_view file : files) to.string(file);
      to.number(static_cast<double>(names.size()));
      for (const std::string_view name : names) to.string(name);
      double inputs = 0;
      for (const GraphInput& input : done.model().graph->inputs) inputs += input.initializer == nullptr ? 1 : 0;
      to.number(inputs);
      for (const GraphInput& input : done.model().graph->inputs) {
        if (input.initializer == nullptr) write_value_info(to, input.info);
      }
      to.number(static_cast<double>(done.model().graph->outputs.size()));
      for (const GraphOutput& output : done.model().graph->outputs) write_value_info(to, output.info);
    });
  }());
}

void disposeSimplification(double handle) { delete simplification_at(handle); }

}  // namespace broadloom
