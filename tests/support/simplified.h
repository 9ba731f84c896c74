// Simplifies files in memory, as the bindings do: part by part, chunk by chunk, piece by piece.
#pragma once

#include <map>
#include <optional>

#include "onnx/simplify/simplification.h"
#include "support/models.h"

namespace broadloom::test {

// A request to simplify.
struct Wish {
  std::vector<std::pair<std::string, std::int64_t>> dims = {};
  std::vector<std::pair<std::string, std::vector<Size>>> shapes = {};
  Feeds values = {};
  std::optional<Names> outputs = {};
  double growth = 1 << 20;
  std::int64_t unroll = 0;
  bool fuses = false;
  bool value_info = false;
  bool trusts_names = false;
  bool grows = true;
  std::vector<Pass> skipped = {};
  std::int64_t steps = INT64_MAX;
  std::optional<std::map<std::string, std::string>> files = {};  // beside the model; without a value, none is provided
};

// A result, read again as a model. `work` owns the data of its report.
struct Simplified {
  std::unique_ptr<Simplification> work;
  std::string bytes;
  ModelPtr model;
  std::size_t chunks = 0;                                    // the number of chunks
  std::vector<std::pair<std::string, std::int64_t>> loaded;  // the requested parts of other files: file, length

  const broadloom::Graph& graph() const { return *model->graph; }
  std::int64_t count(Pass pass) const { return work->progress().counts[static_cast<std::size_t>(pass)]; }
  std::int64_t count(PassKind kind) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < pass_count; ++i) sum += passes[i].kind == kind ? work->progress().counts[i] : 0;
    return sum;
  }
};

inline void set_request(Simplification& work, const Wish& wish) {
  Arena& arena = work.arena;
  SimplifyRequest& request = work.request;
  for (const auto& [name, size] : wish.dims) request.sizes.push_back({arena.copy(name), size});
  request.shapes = arena.make_list<SimplifyRequest::Shape>(wish.shapes.size());
  for (std::size_t i = 0; i < wish.shapes.size(); ++i) {
    const auto& [name, sizes] = wish.shapes[i];
    request.shapes[i].input = arena.copy(name);
    request.shapes[i].dims = arena.make_list<Dimension>(sizes.size());
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      request.shapes[i].dims[axis].value = sizes[axis].value;
      request.shapes[i].dims[axis].name = arena.copy(sizes[axis].name);
    }
  }
  for (const auto& [name, tensor] : wish.values) request.values.push_back({arena.copy(name), tensor});
  request.has_outputs = wish.outputs.has_value();
  const Names outputs = wish.outputs.value_or(Names());
  request.outputs = arena.make_list<std::string_view>(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) request.outputs[i] = arena.copy(outputs[i]);
  request.most_growth = wish.growth;
  request.options.most_iterations = wish.unroll;
  request.options.keeps = wish.fuses ? Keeps::values : Keeps::bits;
  request.options.gets_external = wish.files.has_value();
  request.options.grows = wish.grows;
  request.options.trusts_names = wish.trusts_names;
  request.options.most_steps = wish.steps;
  for (const Pass pass : wish.skipped) request.options.skipped.set(static_cast<std::size_t>(pass));
  request.writes_value_info = wish.value_info;
}

// Runs all steps. Missing bytes of a file end them with INVALID_ARGUMENT, as in JavaScript.
inline Result<Simplified> try_simplify(std::string_view file, const Wish& wish = {}) {
  Simplified result;
  result.work = std::make_unique<Simplification>(file.size());
  Simplification& work = *result.work;
  set_request(work, wish);
  std::vector<std::string> chunks;
  const auto bytes_at = [&](std::int64_t origin, std::int64_t length) {
    const std::string_view from = origin < 0 ? std::string_view(chunks.at(static_cast<std::size_t>(-1 - origin))) : file;
    return from.substr(origin < 0 ? 0 : static_cast<std::size_t>(origin), static_cast<std::size_t>(length));
  };
  for (;;) {
    BROADLOOM_TRY(state, work.next());
    if (state == Simplification::State::done) break;
    if (state == Simplification::State::gives_chunk) {
      const std::span<std::byte> chunk = work.chunk();
      chunks.emplace_back(reinterpret_cast<const char*>(chunk.data()), chunk.size());
      continue;
    }
    const Simplification::Part part = work.part();
    std::string_view bytes;
    if (part.location.empty()) {
      bytes = bytes_at(part.offset, part.length);
    } else {
      result.loaded.emplace_back(part.location, part.length);
      const auto found = wish.files.value().find(std::string(part.location));
      const bool is_there = found != wish.files->end() && part.offset <= static_cast<std::int64_t>(found->second.size());
      if (is_there) bytes = std::string_view(found->second).substr(static_cast<std::size_t>(part.offset));
      bytes = bytes.substr(0, static_cast<std::size_t>(part.length));
    }
    if (bytes.size() != static_cast<std::size_t>(part.length)) {
      return fail(Code::InvalidArgument, "there are no {} bytes at {}", part.length, part.offset);
    }
    if (part.length != 0) std::memcpy(part.to, bytes.data(), bytes.size());
  }
  result.chunks = chunks.size();
  for (const Simplification::Piece& piece : work.pieces()) {
    if (piece.bytes != nullptr) {
      result.bytes.append(reinterpret_cast<const char*>(piece.bytes), static_cast<std::size_t>(piece.length));
    } else {
      const std::string_view bytes = bytes_at(piece.origin, piece.length);
      EXPECT_EQ(bytes.size(), static_cast<std::size_t>(piece.length)) << "a piece that is not there";
      result.bytes.append(bytes);
    }
  }
  EXPECT_EQ(result.bytes.size(), static_cast<std::size_t>(work.bytes_after()));
  ReadOptions options;
  options.unsupported = Unsupported::allowed;
  options.gets_external = wish.files.has_value();
  BROADLOOM_TRY(model, read_model(result.bytes, options));
  result.model = std::move(model);
  return result;
}

inline Simplified simplify(std::string_view file, const Wish& wish = {}) { return must(try_simplify(file, wish)); }
inline Simplified simplify(const Graph& graph, const Wish& wish = {}, std::int64_t opset = 25) {
  return simplify(model(graph, opset), wish);
}

// A graph from x to y with these nodes. By default, x is float32 [n, 3].
inline Graph through(const std::vector<Proto>& nodes, const std::vector<Proto>& initializers = {},
                     const Proto& x = value_info("x", Dtype::float32, {"n", 3})) {
  return {nodes, {x}, {value_info("y", Dtype::undefined)}, initializers};
}

// ---- Contents of graphs ----

// The nodes in the order in which they run, such as "y = Add(x, w)". Subgraphs follow their node in braces.
inline std::string listing(const broadloom::Graph& graph) {
  std::string text;
  const auto join = [](std::span<Value* const> values) {
    std::string list;
    for (std::size_t i = 0; i < values.size(); ++i) {
      list += (i == 0 ? "" : ", ") + (values[i] == nullptr ? "-" : std::string(values[i]->name));
    }
    return list;
  };
  for (const Node* node : graph.order) {
    if (!text.empty()) text += "; ";
    text += join(node->outputs) + " = " + std::string(node->op_type) + "(" + join(node->inputs) + ")";
    for (const Subgraph& one : node->graphs) {
      text += " " + std::string(one.attribute) + " {" + listing(*one.graph) + "}";
    }
  }
  return text;
}
inline std::string listing(const Simplified& result) { return listing(result.graph()); }

// The names of a graph's initializers, without outputs of Constants.
inline Names initializers_of(const broadloom::Graph& graph) {
  Names names;
  for (const Initializer& one : graph.initializers) {
    if (one.value->producer == nullptr) names.emplace_back(one.value->name);
  }
  return names;
}

// The constant of this name in the model's graph.
inline Tensor constant_named(const Simplified& result, std::string_view name) {
  for (const Initializer& one : result.graph().initializers) {
    if (one.value->name == name) return one.tensor;
  }
  ADD_FAILURE() << "there is no constant " << name;
  std::abort();
}

// The declared type and dims of an input or output: "float32 [1, n, ?]", or "float32" without a shape.
inline std::string declared(const ValueInfo& info) {
  Text text;
  text.append("{}", info.dtype == Dtype::undefined ? "?" : broadloom::info(info.dtype).name);
  if (info.has_shape) {
    text.append(" ");
    append_dims(text, info);
  }
  return std::string(text.view());
}

// ---- Results of runs ----

// Whether two models have the same outcome, with the same bits.
inline testing::AssertionResult give_the_same(const Model& before, const Model& after, const Feeds& feeds,
                                              const Feeds& feeds_after) {
  const auto one = run(before, feeds);
  if (!one) {
    const std::string why(one.error()->message.view());
    Error::forget();
    return testing::AssertionFailure() << "the first fails: " << why;
  }
  const auto other = run(after, feeds_after);
  if (!other) {
    const std::string why(other.error()->message.view());
    Error::forget();
    return testing::AssertionFailure() << "the second fails: " << why;
  }
  // Removed outputs are not compared.
  std::size_t i = 0;
  for (const GraphOutput& output : after.graph->outputs) {
    std::size_t j = 0;
    for (const GraphOutput& wanted : before.graph->outputs) {
      if (wanted.info.name == output.info.name) break;
      ++j;
    }
    if (j == one->size()) return testing::AssertionFailure() << "the output " << output.info.name << " is new";
    const Tensor& a = (*one)[j];
    const Tensor& b = (*other)[i++];
    if (a.dtype != b.dtype || list(a.dims()) != list(b.dims())) {
      return testing::AssertionFailure() << output.info.name
                                         << " has other dims or another type: " << testing::PrintToString(list(a.dims()))
                                         << " before, " << testing::PrintToString(list(b.dims())) << " after";
    }
    const bool is_same =
        a.dtype == Dtype::string ? string_elements(a) == string_elements(b) : test::bytes_of(a) == test::bytes_of(b);
    if (!is_same) return testing::AssertionFailure() << output.info.name << " differs";
  }
  return testing::AssertionSuccess();
}

// Whether the result has the outcome of the file, for feeds of the file. Feeds that became constants are omitted for the
// result.
inline testing::AssertionResult gives_the_same(std::string_view file, const Simplified& result, const Feeds& feeds) {
  const ModelPtr before = must(read_model(file));
  Feeds left;
  for (const auto& feed : feeds) {
    const Value* value = result.model->find(feed.first);
    if (value != nullptr && value->input != nullptr) left.push_back(feed);
  }
  return give_the_same(*before, *result.model, feeds, left);
}

}  // namespace broadloom::test
