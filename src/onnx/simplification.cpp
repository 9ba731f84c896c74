#include "onnx/simplification.h"

#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "graph/checker.h"
#include "graph/external.h"
#include "graph/relink.h"
#include "onnx/reader_context.h"

namespace broadloom {
namespace {

// Each round but the last makes the model smaller or more constant. No known model needs this many: it is a safety limit.
constexpr int all_rounds = 64;
// Initializers in other files are read for shape inference if they have at most this size.
constexpr std::int64_t most_small_bytes = 8192;

}  // namespace

Simplification::Simplification(std::size_t size)
    : file_(Message::model, size), current_bytes_(static_cast<std::int64_t>(size)), most_rounds_(all_rounds) {
  file_.leave_in_file();
}

// ---- Steps ----

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
      BROADLOOM_CHECK(keep_chunk());
    }
  }
  if (model_ == nullptr) BROADLOOM_CHECK(start());
  return go_on();
}

Result<Simplification::State> Simplification::go_on() {
  while (!is_done_) {
    // Chunks first: handing them over frees memory.
    wanted_ = nullptr;
    if (!chunks_.empty()) {
      is_waiting_ = true;
      return State::gives_chunk;
    }
    for (Loaded& one : loaded_) {
      if (!one.is_wanted) continue;
      wanted_ = &one;
      is_waiting_ = true;
      return State::wants_part;
    }
    if (inference_ == nullptr) {
      BROADLOOM_CHECK(infer());
    } else if (may_change_ && rounds_ < most_rounds_) {
      BROADLOOM_CHECK(round());
    } else {
      BROADLOOM_CHECK(finish());
    }
  }
  return State::done;
}

Status Simplification::read() {
  ReadOptions options;
  options.unsupported = Unsupported::allowed;
  options.gets_external = request.options.gets_external;
  options.keeps_messages = true;
  options.keeps_calls = keeps_calls_;
  Source source = file_.source();
  BROADLOOM_TRY(model, read_model(source, options));
  model_ = std::move(model);
  return {};
}

Status Simplification::start() {
  keeps_calls_ = request.options.skipped.test(place_of(Pass::inline_functions));
  BROADLOOM_CHECK(read());
  BROADLOOM_CHECK(count_operators(*model_, before_));
  BROADLOOM_CHECK(require_memory(model_->warnings.size(), sizeof(std::string_view)));
  for (const Warning& warning : model_->warnings) warnings_.push_back(arena.copy(warning.text));
  BROADLOOM_CHECK(check_request());
  BROADLOOM_CHECK(apply());
  BROADLOOM_CHECK(check_model(*model_, Unsupported::allowed));
  return want_small();
}

// Reads the file again, because the model became larger than allowed. Parts are requested again.
Status Simplification::start_again() {
  inference_.reset();
  model_.reset();
  chunks_.clear();
  loaded_.clear();
  places_ = {};
  BROADLOOM_CHECK(read());
  BROADLOOM_CHECK(apply());
  BROADLOOM_CHECK(check_model(*model_, Unsupported::allowed));
  return want_small();
}

// Runs shape inference on the current model. Resets inference_ if the model became too large or has chunks to hand over.
Status Simplification::infer() {
  BROADLOOM_CHECK(give_loaded());
  inference_ = std::make_unique<ShapeInference>(*model_, true, request.options.trusts_names);
  BROADLOOM_CHECK(inference_->run());
  BROADLOOM_TRY(is_small, fits());
  if (!is_small) return start_again();
  list_chunks();
  if (!chunks_.empty()) inference_.reset();
  return {};
}

std::int64_t Simplification::most_growth() const {
  return request.most_growth ? static_cast<std::int64_t>(*request.most_growth) : usual_growth(bytes_before());
}

// Whether the model's size is within its limit. If not, changes the settings for the next try.
Result<bool> Simplification::fits() {
  Source source = file_.source();
  BROADLOOM_TRY(bytes, count_bytes(*model_, *inference_, source));
  const std::int64_t limit = bytes_before() + most_growth();
  // The first model may have any size: the request needs its bytes, and inlined functions may shrink.
  if (rounds_ == 0 || bytes <= std::max(limit, current_bytes_)) {
    if (rounds_ > 0 || calls_ == 0) current_bytes_ = bytes;
    progress_.growth_left = limit - bytes - reserve_;
    return true;
  }
  constexpr int most_tries = 3;
  if (calls_ > 0 && !keeps_calls_) {
    // Inlining made the file too large: the next try keeps the calls.
    keeps_calls_ = true;
  } else if (++tries_ < most_tries) {
    // The bytes of new constants are only estimated. The estimate was too low, so the next try reserves some.
    reserve_ += 2 * (bytes - limit);
  } else {
    // The last try stops after the last round that fitted.
    most_rounds_ = rounds_ - 1;
  }
  return false;
}

Status Simplification::round() {
  ++rounds_;
  progress_.too_large = 0;
  progress_.wanted.clear();
  BROADLOOM_TRY(has_changed, simplify(*model_, *inference_, request.options, progress_));
  has_changed_ = has_changed_ || has_changed;
  // Small elements stay, because shape inference needs them in each round.
  for (Loaded& one : loaded_) {
    if (one.bytes.has_elements() && one.bytes.count() > most_small_bytes) one.bytes = Tensor();
  }
  for (const WantedElements& wanted : progress_.wanted) BROADLOOM_CHECK(want(*wanted.external, wanted.bytes));
  may_change_ = has_changed || std::any_of(loaded_.begin(), loaded_.end(), [](const Loaded& one) { return one.is_wanted; });
  inference_.reset();
  BROADLOOM_CHECK(relink(*model_));
  return check_model(*model_, Unsupported::allowed);
}

Status Simplification::finish() {
  if (most_rounds_ < all_rounds) progress_.too_large = std::max<std::int64_t>(progress_.too_large, 1);
  current_bytes_ = bytes_before();
  drop_functions();
  ShapeInference claims(*model_, true, true);
  BROADLOOM_CHECK(claims.run());
  if (has_changed_ || request.writes_value_info) {
    Source source = file_.source();
    BROADLOOM_TRY(written, write_model(*model_, *inference_, claims, source, {request.writes_value_info}));
    current_bytes_ = written.bytes;
    written_ = std::make_unique<WrittenFile>(std::move(written));
  }
  BROADLOOM_TRY(reasons, find_reasons(*model_, claims));
  reasons_ = std::move(reasons);
  inference_.reset();
  is_done_ = true;
  return count_operators(*model_, after_);
}

// Functions go when no call of one is left.
void Simplification::drop_functions() {
  if (!model_->has_calls) return;
  for (const Graph& graph : model_->graphs()) {
    for (const Node* node : graph.order) {
      if (model_->records.nodes[node->record].is_kept_call) return;
    }
  }
  model_->has_calls = false;
  has_changed_ = true;
}

// ---- External elements ----

Simplification::Part Simplification::part() const {
  if (!is_split_) {
    const SplitFile::Part& wanted = file_.wanted();
    return {{}, static_cast<std::int64_t>(wanted.offset), static_cast<std::int64_t>(wanted.length), wanted.to};
  }
  return {wanted_->location, wanted_->offset, wanted_->bytes.count(), wanted_->bytes.data()};
}

// Lists initializers with large new elements: the caller keeps those as chunks.
void Simplification::list_chunks() {
  for (const Graph& graph : model_->graphs()) {
    for (Initializer& one : graph.initializers) {
      const bool is_new = one.record == 0 && one.external == nullptr && one.sparse == nullptr && !one.is_of_node;
      if (!is_new || one.tensor.dtype == Dtype::string || !is_dense(one.tensor)) continue;
      if (dense_size(one.tensor) < SplitFile::default_min_span || !require_memory(chunks_.size() + 1, 2 * sizeof(void*)))
        continue;
      chunks_.push_back(&one);
    }
  }
}

std::span<std::byte> Simplification::chunk() const {
  Tensor& tensor = chunks_.back()->tensor;
  return {tensor.data(), dense_size(tensor)};
}

Status Simplification::keep_chunk() {
  Initializer& initializer = *chunks_.back();
  chunks_.pop_back();
  BROADLOOM_CHECK(require_memory());
  ExternalData& external = *model_->arena.make_list<ExternalData>(1).data();
  external.offset = -1 - given_chunks_++;
  external.length = static_cast<std::int64_t>(dense_size(initializer.tensor));
  initializer.external = &external;
  initializer.is_promised = true;
  initializer.tensor = Tensor(initializer.tensor.dtype, uniform_layout(initializer.tensor.dims()));
  return {};
}

// Requests small elements in other files, because shapes may depend on them.
Status Simplification::want_small() {
  if (!request.options.gets_external) return {};
  for (const Graph& graph : model_->graphs()) {
    for (const Initializer& one : graph.initializers) {
      if (one.external == nullptr || one.external->location.empty()) continue;
      const std::int64_t bytes = dense_bytes(one.tensor.dtype, one.tensor.count()).value_or(max_count);
      if (bytes <= most_small_bytes) BROADLOOM_CHECK(want(*one.external, bytes));
    }
  }
  return {};
}

std::string_view Simplification::key_of(const ExternalData& external) {
  const auto* offset = reinterpret_cast<const char*>(&external.offset);
  key_.assign(external.location.begin(), external.location.end());
  key_.insert(key_.end(), offset, offset + sizeof external.offset);
  return {key_.data(), key_.size()};
}

Status Simplification::want(const ExternalData& external, std::int64_t bytes) {
  constexpr std::size_t most_loaded = 4096;
  constexpr int most_times = 4;
  BROADLOOM_CHECK(require_memory(loaded_.size() + 1, 4 * sizeof(Loaded)));
  const std::string_view key = key_of(external);
  const Name* found = places_.find(key);
  if (found == nullptr) {
    if (loaded_.size() == most_loaded) return {};
    found = &places_.find_or_add(key, arena);
    loaded_.push_back({arena.copy(external.location), external.offset, Tensor()});
  }
  Loaded& entry = loaded_[found->number];
  if (entry.bytes.has_elements() || entry.times++ == most_times) return {};
  BROADLOOM_TRY(tensor, make_tensor(Dtype::uint8, {bytes}));
  entry.bytes = std::move(tensor);
  entry.is_wanted = true;
  return {};
}

// Gives initializers the elements that are loaded, if they are what the model says, and removes those that were unloaded.
Status Simplification::give_loaded() {
  if (loaded_.empty()) return {};
  for (const Graph& graph : model_->graphs()) {
    for (Initializer& one : graph.initializers) {
      if (one.external == nullptr || one.sparse != nullptr) continue;
      const Name* found = places_.find(key_of(*one.external));
      const Tensor* bytes = found == nullptr ? nullptr : &loaded_[found->number].bytes;
      Tensor& tensor = one.tensor;
      const bool is_here =
          bytes != nullptr && bytes->has_elements() && bytes->count() == dense_bytes(tensor.dtype, tensor.count()).value_or(-1);
      if (is_here) {
        tensor = Tensor(tensor.dtype, dense_layout(tensor.dims()), bytes->storage);
        BROADLOOM_CHECK(check_external_length(one));
        BROADLOOM_CHECK(check_external_bools(one));
      } else if (tensor.has_elements()) {
        tensor = Tensor(tensor.dtype, uniform_layout(tensor.dims()));
      }
    }
  }
  return {};
}

// ---- Results ----

// Counts the nodes of a function for its first call only.
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
  for (const ExternalSpan& span : written_->spans) {
    const std::byte* place = written_->structure.data() + span.at;
    if (place != at) pieces.push_back({at, 0, place - at});
    const auto length = static_cast<std::int64_t>(span.length);
    if (span.bytes.has_elements()) {
      pieces.push_back({span.bytes.data(), 0, length});
    } else {
      pieces.push_back({nullptr, span.origin, length});
    }
    at = place + 1;
  }
  if (at != end) pieces.push_back({at, 0, end - at});
  return pieces;
}

}  // namespace broadloom
