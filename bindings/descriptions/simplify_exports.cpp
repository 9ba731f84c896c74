// Simplifying a model file.
#include <memory>
#include <vector>

#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "descriptions/json_page.h"
#include "descriptions/page_writer.h"
#include "frame.h"
#include "functions.h"
#include "models.h"
#include "onnx/simplify/simplification.h"
#include "ops/dense.h"
#include "tensors.h"

namespace broadloom {

namespace {

using SimplificationPtr = std::unique_ptr<Simplification>;

Simplification* simplification_at(double address) {
  return reinterpret_cast<Simplification*>(static_cast<std::uintptr_t>(address));
}

// -> the simplification; 0 when it is done; 1 and what is wanted: to which address, from which offset, how many bytes, from the
// file of this name beside the model ("": the model's own, or for offset -1 - n chunk n); or 2 and what is to be kept as the
// next chunk: its address, its bytes
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
    value.form = static_cast<FeedForm>(frame.number());
    BROADLOOM_TRY(tensor, share(tensor_of(frame.handle())));
    value.tensor = std::move(tensor);
  }
  request.values = std::move(values);
  request.has_outputs = frame.number() != 0;
  const std::size_t outputs = frame.size();
  BROADLOOM_CHECK(require_memory(outputs, sizeof(std::string_view)));
  request.outputs = arena.make_list<std::string_view>(outputs);
  for (std::string_view& output : request.outputs) output = arena.copy(frame.string());
  const double growth = frame.number();  // negative: not given
  if (growth >= 0) request.most_growth = growth;
  request.options.grows = growth >= 0;
  request.options.most_iterations = static_cast<std::int64_t>(frame.number());
  request.options.keeps = frame.number() != 0 ? Keeps::values : Keeps::bits;
  request.options.gets_external = frame.number() != 0;
  request.writes_value_info = frame.number() != 0;
  request.options.trusts_names = frame.number() != 0;
  for (std::size_t skipped = frame.size(); skipped > 0; --skipped) {
    const std::string_view name = frame.string();
    const std::optional<Pass> pass = find_pass(name);
    if (!pass) {
      const std::optional<Pass> near = near_pass(name);
      if (near) {
        return fail(Code::InvalidArgument, "simplify: skip: no pass {}: did you mean {}?", quoted(name),
                    quoted(info(*near).name));
      }
      return fail(Code::InvalidArgument, "simplify: skip: no pass {}; report.passes has names of passes", quoted(name));
    }
    request.options.skipped.set(static_cast<std::size_t>(*pass));
  }
  request.options.most_steps = static_cast<std::int64_t>(frame.number());
  return {};
}

}  // namespace

// bytes of the file; sizes: their number, then name and number of each; shapes: their number, then for each an input, its rank,
// and for each axis a number or -1 and a name or ""; values: their number, then input and handle of each; whether there is a
// list of outputs, their number, their names; bytes of growth; iterations of loops; whether inexact fusions are done, files
// beside the model will be given, value_info is written, equal names are equal sizes; how many passes
// are skipped, their names; after how many changes to stop -> as go_on has it
double startSimplification(double size) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(check_file_bytes(size));
    if (size > INT32_MAX) return fail(Code::InvalidArgument, "the file has {} bytes; 2147483647 are the most", size);
    const auto bytes = static_cast<std::size_t>(size);
    BROADLOOM_CHECK(require_memory(bytes / SplitFile::default_min_span, sizeof(ExternalSpan)));
    auto simplification = std::make_unique<Simplification>(bytes);
    FrameReader frame;
    BROADLOOM_CHECK(read_request(frame, simplification->arena, simplification->request));
    return go_on(std::move(simplification));
  }());
}

// simplification, whose wanted step is done -> as go_on has it. After an error it is freed.
double continueSimplification(double handle) { return finish(go_on(SimplificationPtr(simplification_at(handle)))); }

namespace {

void write_summary(JsonWriter& to, std::string_view name, std::int64_t bytes, const std::vector<OperatorCount>& operators) {
  to.key(name);
  to.begin_object();
  to.field("bytes", bytes);
  to.list("operators", operators, [&](const OperatorCount& one) {
    to.begin_list();
    to.value(one.domain);
    to.value(one.op_type);
    to.value(one.count);
    to.end_list();
  });
  to.end_object();
}

void write_node(JsonWriter& to, const Node* node) {
  static const Node nothing;
  if (node == nullptr) node = &nothing;
  Text label;
  append_label(label, *node);
  to.field("operator", node->op_type);
  to.field("node", label.view());
}

void write_cause(JsonWriter& to, const Cause& cause) {
  constexpr std::string_view kinds[] = {"size", "rank", "value", "made"};
  to.key("cause");
  to.begin_object();
  to.field("kind", kinds[static_cast<std::size_t>(cause.kind)]);
  to.field("value", cause.value == nullptr ? std::string_view() : cause.value->name);
  write_node(to, cause.value == nullptr ? nullptr : cause.value->producer);
  to.field("axis", cause.axis);
  to.field("name", cause.name);
  to.end_object();
}

void write_reasons(JsonWriter& to, const Reasons& reasons) {
  to.list("sizes", reasons.sizes, [&](const DynamicSize& size) {
    to.begin_object();
    write_cause(to, size.cause);
    to.field("nodes", size.nodes);
    to.field("shapeNodes", size.shape_nodes);
    to.end_object();
  });
  to.list("graphs", reasons.graphs, [&](const KeptGraph& graph) {
    to.begin_object();
    write_node(to, graph.node);
    to.field("isKnown", graph.is_known);
    if (graph.has_cause && !graph.is_known) write_cause(to, graph.cause);
    to.end_object();
  });
}

void write_passes(JsonWriter& to, const SimplifyProgress& progress) {
  to.key("passes");
  to.begin_list();
  for (std::size_t i = 0; i < pass_count; ++i) {
    if (progress.counts[i] == 0) continue;
    to.begin_object();
    to.field("name", passes[i].name);
    to.field("kind", name_of(passes[i].kind));
    to.field("count", progress.counts[i]);
    to.end_object();
  }
  to.end_list();
}

}  // namespace

// simplification that is done -> JSON: the pieces of the file, and what the report is made of (js/src/simplify/report.ts)
double describeSimplification(double handle) {
  return finish([&]() -> Status {
    const Simplification& done = *simplification_at(handle);
    BROADLOOM_CHECK(require_memory());
    const std::vector<Simplification::Piece> pieces = done.pieces();
    BROADLOOM_TRY(names, size_names(done.model()));
    BROADLOOM_TRY(files, done.files());
    return write_json([&](JsonWriter& to) {
      to.begin_object();
      to.list("pieces", pieces, [&](const Simplification::Piece& piece) {
        to.begin_list();
        to.value(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(piece.bytes)));
        to.value(piece.origin);
        to.value(piece.length);
        to.end_list();
      });
      write_summary(to, "before", done.bytes_before(), done.operators_before());
      write_summary(to, "after", done.bytes_after(), done.operators_after());
      write_passes(to, done.progress());
      to.field("tooLarge", done.progress().too_large);
      write_reasons(to, done.reasons());
      to.list("warnings", done.warnings(), [&](std::string_view warning) { to.value(warning); });
      to.list("files", files, [&](std::string_view file) { to.value(file); });
      write_names(to, names);
      write_inputs_and_outputs(to, *done.model().graph);
      to.end_object();
    });
  }());
}

void disposeSimplification(double handle) { delete simplification_at(handle); }

}  // namespace broadloom
