// Simplifying a model file.
#include <algorithm>
#include <memory>
#include <vector>

#include "core/json_reader.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "descriptions/json_page.h"
#include "descriptions/page_writer.h"
#include "frame.h"
#include "functions.h"
#include "models.h"
#include "onnx/simplify/simplification.h"
#include "ops/call/dense.h"
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

// Reads each item of a list.
void read_items(JsonReader& json, auto& items, const auto& read) {
  json.begin();
  for (auto& item : items) {
    json.next();
    read(item);
  }
  json.next();
}

// A size is a number, a name, or null for what the file declares.
void read_dim(JsonReader& json, Dimension& dim) {
  if (json.is_text()) {
    dim.name = json.text();
  } else if (json.is_null()) {
    json.null();
  } else {
    dim.value = json.integer();
  }
}

void read_shape(JsonReader& json, Arena& arena, SimplifyRequest::Shape& shape) {
  for (json.begin(); json.next();) {
    if (json.key() == "input") {
      shape.input = json.text();
    } else {
      shape.dims = arena.make_list<Dimension>(json.count());
      read_items(json, shape.dims, [&](Dimension& dim) { read_dim(json, dim); });
    }
  }
}

Status read_value(JsonReader& json, SimplifyRequest::Value& value) {
  for (json.begin(); json.next();) {
    const std::string_view key = json.key();
    if (key == "input") {
      value.input = json.text();
    } else if (key == "form") {
      value.form = static_cast<FeedForm>(json.integer());
    } else {
      BROADLOOM_TRY(tensor, share(tensor_of(static_cast<std::uintptr_t>(json.integer()))));
      value.tensor = std::move(tensor);
    }
  }
  return {};
}

void read_size(JsonReader& json, FixedSize& size) {
  for (json.begin(); json.next();) {
    if (json.key() == "name") {
      size.name = json.text();
    } else {
      size.size = json.integer();
    }
  }
}

Status read_values(JsonReader& json, std::vector<SimplifyRequest::Value>& values) {
  values.resize(json.count());
  json.begin();
  for (SimplifyRequest::Value& value : values) {
    json.next();
    BROADLOOM_CHECK(read_value(json, value));
  }
  json.next();
  return {};
}

Status read_skipped(JsonReader& json, SimplifyOptions& options) {
  for (json.begin(); json.next();) {
    const std::string_view name = json.text();
    const std::optional<Pass> pass = find_pass(name);
    if (pass) {
      options.skipped.set(static_cast<std::size_t>(*pass));
      continue;
    }
    const std::optional<Pass> near = near_pass(name);
    if (near) {
      return fail(Code::InvalidArgument, "simplify: skip: no pass {}: did you mean {}?", quoted(name),
                  quoted(info(*near).name));
    }
    return fail(Code::InvalidArgument, "simplify: skip: no pass {}; report.passes has names of passes", quoted(name));
  }
  return {};
}

void read_flag(JsonReader& json, std::string_view key, SimplifyRequest& request) {
  const bool flag = json.truth();
  if (key == "fuseInexact") request.options.keeps = flag ? Keeps::values : Keeps::bits;
  if (key == "valueInfo") request.writes_value_info = flag;
  if (key == "trustNames") request.options.trusts_names = flag;
  if (key == "external") request.options.gets_external = flag;
}

// Reads the value of a member.
Status read_member(JsonReader& json, std::string_view key, Arena& arena, SimplifyRequest& request) {
  if (key == "values") return read_values(json, request.values);
  if (key == "skip") return read_skipped(json, request.options);
  if (key == "sizes") {
    request.sizes.resize(json.count());
    read_items(json, request.sizes, [&](FixedSize& size) { read_size(json, size); });
  } else if (key == "shapes") {
    request.shapes = arena.make_list<SimplifyRequest::Shape>(json.count());
    read_items(json, request.shapes, [&](SimplifyRequest::Shape& shape) { read_shape(json, arena, shape); });
  } else if (key == "outputs") {
    request.has_outputs = true;
    request.outputs = arena.make_list<std::string_view>(json.count());
    read_items(json, request.outputs, [&](std::string_view& output) { output = json.text(); });
  } else if (key == "growth") {
    request.options.grows = true;
    request.most_growth = static_cast<double>(json.integer());
  } else if (key == "unroll") {
    request.options.most_iterations = json.integer();
  } else {
    read_flag(json, key, request);
  }
  return {};
}

// Reads a request (Request in js/src/simplify/simplify.ts). Names lie in the arena's copy of the text: the next call overwrites
// the page.
Status read_request(std::string_view page_text, Arena& arena, SimplifyRequest& request) {
  // A dim takes most memory for the characters that it has: a digit and a comma.
  BROADLOOM_CHECK(require_memory(page_text.size(), sizeof(Dimension)));
  const std::span<char> text = arena.make_list<char>(page_text.size());
  std::copy(page_text.begin(), page_text.end(), text.begin());
  JsonReader json(text.data());
  for (json.begin(); json.next();) BROADLOOM_CHECK(read_member(json, json.key(), arena, request));
  return {};
}

}  // namespace

// bytes of the file; the request as JSON -> as go_on has it
double startSimplification(double size) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(check_file_bytes(size));
    if (size > INT32_MAX) return fail(Code::InvalidArgument, "the file has {} bytes; 2147483647 are the most", size);
    const auto bytes = static_cast<std::size_t>(size);
    BROADLOOM_CHECK(require_memory(bytes / SplitFile::default_min_span, sizeof(ExternalSpan)));
    auto simplification = std::make_unique<Simplification>(bytes);
    BROADLOOM_CHECK(read_request(FrameReader().string(), simplification->arena, simplification->request));
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
