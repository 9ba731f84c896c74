#include "onnx/simplification.h"

#include <algorithm>
#include <cstring>

#include "core/memory.h"
#include "core/text.h"
#include "graph/name_index.h"
#include "onnx/graph_reader.h"
#include "ops/dense.h"

namespace broadloom {
namespace {

// Each round but the last makes the model smaller or more constant. No model needs many; this one ends what should not be.
constexpr int most_rounds = 64;
// Initializers in other files are taken for shapes up to this size.
constexpr std::int64_t most_small_bytes = 8192;

[[gnu::cold]] Failure no_name(const char* kind, std::string_view name, std::span<const std::string_view> known) {
  const Error error = make_error(Code::InvalidArgument, "no {} {}; the model has", kind, quoted(name));
  const char* separator = "";
  for (const std::string_view one : known) {
    if (error->message.is_full()) break;
    error->message.append("{} {}", separator, quoted(one));
    separator = ",";
  }
  if (known.empty()) error->message.append(" none");
  return Failure(error);
}

// The input of this name, or an error that names those there are.
Result<GraphInput*> find_input(Model& model, std::string_view name) {
  const Value* value = std::as_const(model.names).find(name);
  if (value != nullptr && value->input != nullptr) return value->input;
  return no_input(name, *model.graph);
}

// What lies in holes is never changed.
bool is_same(const WrittenFile& a, const WrittenFile& b) {
  const std::int64_t bytes = a.structure.count();
  return a.holes.size() == b.holes.size() && bytes == b.structure.count() &&
         std::memcmp(a.structure.data(), b.structure.data(), static_cast<std::size_t>(bytes)) == 0;
}

const FixedSize* find_size(std::span<const FixedSize> sizes, std::string_view name) {
  const auto* found =
      std::find_if(sizes.data(), sizes.data() + sizes.size(), [&](const FixedSize& one) { return one.name == name; });
  return found == sizes.data() + sizes.size() ? nullptr : found;
}

}  // namespace

Simplification::Simplification(std::size_t size)
    : file_(Message::model, size), current_bytes_(static_cast<std::int64_t>(size)) {
  file_.leave_holes();
}

ReadOptions Simplification::read_options(bool is_first) {
  ReadOptions options;
  options.unsupported = Unsupported::allowed;
  options.gets_external = request.options.gets_external;
  options.keeps_messages = true;
  options.keeps_calls = keeps_calls_;
  options.loaded = loaded_;
  if (!is_first && rounds_ == 0) options.sizes = request.sizes;
  return options;
}

// ---- The request ----

// Reads the file as it is, and checks what is asked for.
Status Simplification::start() {
  constexpr double work_each = 64;
  progress_.work_left = static_cast<double>(std::int64_t{1} << 27) + work_each * static_cast<double>(current_bytes_);
  progress_.unasked_left += current_bytes_ / 64;
  Source file = source();
  BROADLOOM_TRY(model, read_model(file, read_options(true)));
  BROADLOOM_CHECK(count_operators(*model, before_));
  BROADLOOM_CHECK(require_memory(model->warnings.size(), sizeof(std::string_view)));
  for (const Warning& warning : model->warnings) warnings_.push_back(arena.copy(warning.text));
  model_ = std::move(model);
  BROADLOOM_CHECK(check_names());
  BROADLOOM_CHECK(fix_shapes());
  is_started_ = true;
  return {};
}

Status Simplification::check_names() {
  BROADLOOM_CHECK(require_memory(model_->symbols.size() + model_->graph->outputs.size(), 2 * sizeof(std::string_view)));
  std::vector<std::string_view> sizes;
  NameIndex listed;
  for (const GraphInput& input : model_->graph->inputs) {
    for (const Dimension& dim : input.info.dims) {
      if (dim.value >= 0 || dim.name.empty()) continue;
      BROADLOOM_CHECK(require_memory(sizes.size() + 16, 2 * sizeof(std::string_view)));
      if (listed.find_or_add(dim.name, arena).number == sizes.size()) sizes.push_back(dim.name);
    }
  }
  for (const SimplifyRequest::Shape& shape : request.shapes) {
    for (const Dimension& dim : shape.dims) listed.find_or_add(dim.name, arena);
  }
  for (const FixedSize& size : request.sizes) {
    if (std::as_const(listed).find(size.name) == nullptr) return no_name("size", size.name, sizes);
  }
  std::vector<std::string_view> outputs;
  for (const GraphOutput& output : model_->graph->outputs) outputs.push_back(output.info.name);
  for (const std::string_view name : request.outputs) {
    if (std::find(outputs.begin(), outputs.end(), name) == outputs.end()) return no_name("output", name, outputs);
  }
  return {};
}

// A number for an axis that has a name is one for all axes of that name.
Status Simplification::fix_shapes() {
  const auto fix = [&](const ValueInfo& info, std::size_t axis, const Dimension& declared, std::int64_t size) -> Status {
    if (declared.value >= 0 && declared.value != size) {
      return fail(Code::InvalidArgument, "size {} for axis {} of input {}, which is declared as {}", size, axis,
                  quoted(info.name), declared.value);
    }
    if (declared.value >= 0 || declared.symbol < 0) return {};
    const FixedSize* known = find_size(request.sizes, declared.name);
    if (known != nullptr && known->size != size) {
      return fail(Code::InvalidArgument, "size {} for axis {} of input {}: {} is {} elsewhere", size, axis, quoted(info.name),
                  quoted(declared.name), known->size);
    }
    BROADLOOM_CHECK(require_memory(request.sizes.size() + 1, 2 * sizeof(FixedSize)));
    if (known == nullptr) request.sizes.push_back({arena.copy(declared.name), size});
    return {};
  };
  for (SimplifyRequest::Shape& shape : request.shapes) {
    BROADLOOM_TRY(input, find_input(*model_, shape.input));
    const ValueInfo& info = input->info;
    if (info.has_shape && info.dims.size() != shape.dims.size()) {
      const Error error = make_error(Code::InvalidArgument, "{} sizes for input {}, which is declared as ", shape.dims.size(),
                                     quoted(info.name));
      append_dims(error->message, info);
      return Failure(error);
    }
    std::size_t axis = 0;
    for (const Dimension& declared : info.dims) {
      const Dimension& given = shape.dims[axis];
      if (given.value >= 0) BROADLOOM_CHECK(fix(info, axis, declared, given.value));
      // A new name for a number is one for that number elsewhere, too.
      if (declared.value >= 0 && !given.name.empty()) {
        Dimension named = given;
        named.symbol = 0;
        BROADLOOM_CHECK(fix(info, axis, named, declared.value));
      }
      ++axis;
    }
  }
  for (const SimplifyRequest::Value& given : request.values) {
    BROADLOOM_TRY(input, find_input(*model_, given.input));
    BROADLOOM_TRY(sizes, allocate_vector<std::int64_t>(model_->symbols.size()));
    std::fill(sizes.begin(), sizes.end(), -1);
    BROADLOOM_CHECK(check_feed(input->info, given.tensor, sizes));
    std::size_t axis = 0;
    for (const Dimension& declared : input->info.dims) {
      BROADLOOM_CHECK(fix(input->info, axis, declared, given.tensor.dims()[axis]));
      ++axis;
    }
  }
  return {};
}

// What is asked for, and what the version of the file implies, in the model that is about to be simplified.
Status Simplification::apply(Model& model) {
  for (const SimplifyRequest::Shape& shape : request.shapes) {
    BROADLOOM_TRY(input, find_input(model, shape.input));
    ValueInfo& info = input->info;
    if (!info.has_shape) {
      for (std::size_t i = 0; i < shape.dims.size(); ++i) info.dims.add(model.arena);
    }
    info.has_shape = info.is_changed = true;
    std::size_t axis = 0;
    for (Dimension& dim : info.dims) {
      const Dimension& given = shape.dims[axis++];
      if (given.value >= 0) dim.value = given.value;
      if (given.value >= 0 || given.name.empty() || dim.value >= 0) continue;
      const FixedSize* size = find_size(request.sizes, given.name);
      dim.name = given.name;
      dim.symbol = static_cast<std::int32_t>(model.symbols.find_or_add(model.arena.copy(given.name), model.arena).number);
      if (size != nullptr) dim.value = size->size;
    }
  }
  const auto make_constant = [](GraphInput& input) {
    input.is_dropped = true;
    input.value->input = nullptr;
    input.value->initializer = input.initializer;
  };
  for (const SimplifyRequest::Value& given : request.values) {
    BROADLOOM_TRY(input, find_input(model, given.input));
    if (input->initializer == nullptr) input->initializer = &input->value->graph->initializers.add(model.arena);
    Initializer& initializer = *input->initializer;
    initializer.value = input->value;
    BROADLOOM_TRY(dense, densify(given.tensor));
    initializer.tensor = std::move(dense);
    initializer.external = nullptr;
    initializer.sparse.reset();
    initializer.message = {};
    make_constant(*input);
  }
  for (GraphInput& input : model.graph->inputs) {
    if (model.ir_version < first_ir_version_with_defaults && input.initializer != nullptr && !input.is_dropped)
      make_constant(input);
  }
  for (GraphOutput& output : model.graph->outputs) {
    output.is_dropped = request.has_outputs &&
                        std::find(request.outputs.begin(), request.outputs.end(), output.info.name) == request.outputs.end();
    if (output.is_dropped) output.value->is_output = false;
  }
  return {};
}

// ---- Rounds ----

Result<Simplification::State> Simplification::next() {
  if (is_done_) return State::done;
  if (!is_split_) {
    BROADLOOM_CHECK(file_.next());
    if (file_.wanted().length != 0) return State::wants_part;
    is_split_ = true;
  }
  if (is_waiting_) {
    is_waiting_ = false;
    if (wanted_ != nullptr) {
      wanted_->is_wanted = false;
    } else {
      Hole& hole = written_->holes[next_chunk_++];
      hole.bytes = Tensor();
      hole.origin = -1 - chunks_++;
    }
  }
  if (!is_started_) BROADLOOM_CHECK(start());
  while (!is_done_) {
    // Chunks first: what they free may be needed.
    for (; written_ && next_chunk_ < written_->holes.size(); ++next_chunk_) {
      if (!written_->holes[next_chunk_].bytes.has_elements()) continue;
      wanted_ = nullptr;
      is_waiting_ = true;
      return State::gives_chunk;
    }
    for (LoadedElements& one : loaded_) {
      if (!one.is_wanted) continue;
      wanted_ = &one;
      is_waiting_ = true;
      return State::wants_part;
    }
    BROADLOOM_CHECK(round());
  }
  return State::done;
}

Simplification::Part Simplification::part() const {
  if (!is_split_) {
    const SplitFile::Part& wanted = file_.wanted();
    return {{}, static_cast<std::int64_t>(wanted.offset), static_cast<std::int64_t>(wanted.length), wanted.to};
  }
  return {wanted_->location, wanted_->offset, wanted_->bytes.count(), wanted_->bytes.data()};
}

std::span<std::byte> Simplification::chunk() const {
  const Hole& hole = written_->holes[next_chunk_];
  return {hole.bytes.data(), hole.length};
}

Status Simplification::want(const ExternalData& external, std::int64_t bytes) {
  constexpr std::size_t most_loaded = 4096;
  constexpr int most_times = 4;
  LoadedElements* entry = nullptr;
  for (LoadedElements& one : loaded_) {
    if (one.offset == external.offset && one.location == external.location) entry = &one;
  }
  if (entry == nullptr) {
    if (loaded_.size() == most_loaded) return {};
    BROADLOOM_CHECK(require_memory(loaded_.size() + 1, 2 * sizeof(LoadedElements)));
    entry = &loaded_.emplace_back();
    entry->location = arena.copy(external.location);
    entry->offset = external.offset;
  }
  if (entry->bytes.has_elements() || entry->times++ == most_times) return {};
  BROADLOOM_TRY(tensor, make_tensor(Dtype::uint8, {bytes}));
  entry->bytes = std::move(tensor);
  entry->is_wanted = true;
  return {};
}

Status Simplification::round() {
  Source file = source();
  BROADLOOM_TRY(model, read_model(file, read_options(false)));
  const bool is_first = rounds_ == 0;
  if (is_first) BROADLOOM_CHECK(apply(*model));
  if (is_first && request.options.gets_external && loaded_.empty()) {
    for (const Graph& graph : model->graphs()) {
      for (const Initializer& one : graph.initializers) {
        if (one.external == nullptr || one.external->location.empty()) continue;
        const std::int64_t bytes = dense_bytes(one.tensor.dtype, one.tensor.count()).value_or(max_count);
        if (bytes <= most_small_bytes) BROADLOOM_CHECK(want(*one.external, bytes));
      }
    }
    if (!loaded_.empty()) return {};
  }
  Inference inference(*model, true);
  BROADLOOM_CHECK(inference.run());
  const std::int64_t limit = bytes_before() + static_cast<std::int64_t>(request.most_growth);
  progress_.growth_left = limit - current_bytes_ - reserve_;
  const SimplifyProgress before = progress_;
  progress_.too_large = is_full_ ? std::max<std::int64_t>(before.too_large, 1) : 0;
  progress_.wanted.clear();
  bool is_sorted = true;
  std::int64_t calls = 0;
  for (const Graph& graph : model->graphs()) {
    std::size_t position = 0;
    for (const Node& node : graph.nodes) is_sorted = is_sorted && graph.order[position++] == &node;
    calls += static_cast<std::int64_t>(graph.calls.size());
  }
  Simplifier simplifier(*model, inference, request.options, progress_);
  if (!is_full_) {
    BROADLOOM_CHECK(simplifier.run());
  } else {
    for (const Graph& graph : model->graphs()) {
      for (const Initializer& one : graph.initializers) one.value->is_needed = true;
    }
  }
  const bool is_asked = !request.sizes.empty() || !request.shapes.empty() || !request.values.empty() || request.has_outputs;
  bool has_changed =
      (is_first && is_asked) ||
      (!is_full_ && (simplifier.has_changed() || !is_sorted || calls > 0 || (model->has_functions && !model->has_calls)));
  progress_.count(Pass::call, calls);
  const bool is_last = ++rounds_ == most_rounds;
  // At the end, what is known of outputs may be more than when they were written. Types of other values are written then alone.
  const bool adds_info = request.writes_value_info && (!has_changed || is_last);
  if (has_changed || written_ || adds_info) {
    BROADLOOM_TRY(written, write_model(*model, inference, file, {adds_info}));
    const auto bytes = static_cast<std::int64_t>(written.source().size());
    const bool is_too_large = bytes > limit && bytes > current_bytes_ && !adds_info;
    if (is_too_large && has_changed && !is_full_) {
      // Functions that are called often may make a file too large: then they stay.
      const bool keeps_calls = is_first && calls > 0 && !keeps_calls_;
      // What constants add is only estimated. When it was too little, there is less room the next time; in the end, all stays
      // as it was before the round, but for what was asked for, which takes the room that it needs.
      constexpr int most_tries = 3;
      const bool is_again = keeps_calls || ++tries_ < most_tries;
      keeps_calls_ = keeps_calls_ || keeps_calls;
      if (!keeps_calls) reserve_ += 2 * (bytes - limit);
      is_full_ = !is_again;
      --rounds_;
      progress_.counts = before.counts;
      progress_.work_left = before.work_left;
      progress_.unasked_left = before.unasked_left;
      return {};
    }
    has_changed = has_changed || (!is_too_large && !(written_ && is_same(written, *written_)));
    // Whatever makes the file smaller may still be done to one that has no more room.
    if (has_changed) is_full_ = false;
    if (has_changed) {
      current_bytes_ = bytes;
      written_ = std::make_unique<WrittenFile>(std::move(written));
      next_chunk_ = 0;
    }
  }
  // Small ones are for shapes, which each round reads anew.
  for (LoadedElements& one : loaded_) {
    if (one.bytes.has_elements() && one.bytes.count() > most_small_bytes) one.bytes = Tensor();
  }
  for (const WantedElements& wanted : progress_.wanted) BROADLOOM_CHECK(want(*wanted.external, wanted.bytes));
  const bool is_waiting = std::any_of(loaded_.begin(), loaded_.end(), [](const LoadedElements& one) { return one.is_wanted; });
  if ((has_changed || is_waiting) && !is_last) return {};
  BROADLOOM_TRY(reasons, find_reasons(*model, inference));
  reasons_ = std::move(reasons);
  model_ = std::move(model);
  is_done_ = true;
  return count_operators(*model_, after_);
}

// ---- What is told ----

// Nodes of a function are counted for the first of its calls.
Status Simplification::count_operators(const Model& model, std::vector<OperatorCount>& counts) {
  NameIndex names;
  NameIndex functions;
  std::vector<const Node*> first_calls;  // by the numbers of the functions
  const auto number_of = [&](NameIndex& index, const Node& node) {
    const std::string_view domain = is_default_domain(node.domain) ? std::string_view() : node.domain;
    return index.find_or_add(function_key(arena, domain, node.op_type, {}), arena).number;
  };
  const auto is_counted = [&](const Node& node) {
    for (const Node* call = node.caller; call != nullptr; call = call->caller) {
      const std::size_t number = number_of(functions, *call);
      if (number == first_calls.size()) first_calls.push_back(call);
      if (first_calls[number] != call) return false;
    }
    return true;
  };
  for (const Graph& graph : model.graphs()) {
    for (const Chain<Node>* list : {&graph.nodes, &graph.calls}) {
      for (const Node& node : *list) {
        BROADLOOM_CHECK(require_memory(counts.size() + first_calls.size() + 64, 2 * sizeof(OperatorCount)));
        if (!is_counted(node)) continue;
        const std::size_t number = number_of(names, node);
        if (number == counts.size())
          counts.push_back(
              {is_default_domain(node.domain) ? std::string_view() : arena.copy(node.domain), arena.copy(node.op_type), 0});
        ++counts[number].count;
      }
    }
  }
  return {};
}

Result<std::vector<std::string_view>> Simplification::files() const {
  std::vector<std::string_view> files;
  for (const Graph& graph : model_->graphs()) {
    BROADLOOM_CHECK(require_memory(files.size() + graph.initializers.size(), 2 * sizeof(std::string_view)));
    for (const Initializer& one : graph.initializers) {
      if (one.external != nullptr && !one.external->location.empty()) files.push_back(one.external->location);
    }
  }
  return files;
}

std::vector<Simplification::Piece> Simplification::pieces() const {
  std::vector<Piece> pieces;
  if (!written_) {
    pieces.push_back({nullptr, 0, current_bytes_});
    return pieces;
  }
  const std::byte* at = written_->structure.data();
  const std::byte* end = at + written_->structure.count();
  for (const Hole& hole : written_->holes) {
    const std::byte* place = written_->structure.data() + hole.at;
    if (place != at) pieces.push_back({at, 0, place - at});
    const auto length = static_cast<std::int64_t>(hole.length);
    if (hole.bytes.has_elements()) {
      pieces.push_back({hole.bytes.data(), 0, length});
    } else {
      pieces.push_back({nullptr, hole.origin, length});
    }
    at = place + 1;
  }
  if (at != end) pieces.push_back({at, 0, end - at});
  return pieces;
}

}  // namespace broadloom
