#include "onnx/simplify/element_store.h"

#include <algorithm>
#include <utility>

#include "core/count.h"
#include "core/memory.h"
#include "graph/structure/external.h"
#include "onnx/split_file.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

// Initializers in other files are read for shape inference if they have at most this size.
constexpr std::int64_t most_small_bytes = 8192;

}  // namespace

SimplifyState ElementStore::asks() {
  const auto found = std::find_if(loaded_.begin(), loaded_.end(), [](const Loaded& one) { return one.is_wanted; });
  if (found != loaded_.end()) asked_ = &*found;
  asks_ = !chunks_.empty()         ? SimplifyState::gives_chunk
          : found != loaded_.end() ? SimplifyState::wants_part
                                   : SimplifyState::done;
  return asks_;
}

bool ElementStore::is_wanting() const {
  return std::any_of(loaded_.begin(), loaded_.end(), [](const Loaded& one) { return one.is_wanted; });
}

void ElementStore::unload() {
  for (Loaded& one : loaded_) {
    if (one.bytes.has_elements() && one.bytes.count() > most_small_bytes) one.bytes = Tensor();
  }
}

void ElementStore::clear() {
  chunks_.clear();
  loaded_.clear();
  places_ = {};
}

bool ElementStore::list_chunks(const Model& model) {
  for (const Graph& graph : model.graphs()) {
    for (Initializer& one : graph.initializers) {
      const bool is_new = one.record == 0 && one.external == nullptr && one.sparse == nullptr && !one.is_of_node;
      if (!is_new || one.tensor.dtype == Dtype::string || !is_dense(one.tensor)) continue;
      if (dense_size(one.tensor) < SplitFile::default_min_span || !require_memory(chunks_.size() + 1, 2 * sizeof(void*)))
        continue;
      chunks_.push_back(&one);
    }
  }
  return !chunks_.empty();
}

std::span<std::byte> ElementStore::chunk() const {
  Tensor& tensor = chunks_.back()->tensor;
  return {tensor.data(), dense_size(tensor)};
}

Status ElementStore::answered(Model& model) {
  const SimplifyState asked = std::exchange(asks_, SimplifyState::done);
  if (asked == SimplifyState::wants_part) asked_->is_wanted = false;
  if (asked != SimplifyState::gives_chunk) return {};
  Initializer& initializer = *chunks_.back();
  chunks_.pop_back();
  BROADLOOM_CHECK(require_memory());
  ExternalData& external = *model.arena.make_list<ExternalData>(1).data();
  external.offset = -1 - given_chunks_++;
  external.length = static_cast<std::int64_t>(dense_size(initializer.tensor));
  initializer.external = &external;
  initializer.is_promised = true;
  initializer.tensor = Tensor(initializer.tensor.dtype, uniform_layout(initializer.tensor.dims()));
  return {};
}

Status ElementStore::want_small(const Model& model) {
  for (const Graph& graph : model.graphs()) {
    for (const Initializer& one : graph.initializers) {
      if (one.external == nullptr || one.external->location.empty()) continue;
      const std::int64_t bytes = dense_bytes(one.tensor.dtype, one.tensor.count()).value_or(max_count);
      if (bytes <= most_small_bytes) BROADLOOM_CHECK(want(*one.external, bytes));
    }
  }
  return {};
}

std::string_view ElementStore::key_of(const ExternalData& external) {
  const auto* offset = reinterpret_cast<const char*>(&external.offset);
  key_.assign(external.location.begin(), external.location.end());
  key_.insert(key_.end(), offset, offset + sizeof external.offset);
  return {key_.data(), key_.size()};
}

Status ElementStore::want(const ExternalData& external, std::int64_t bytes) {
  constexpr std::size_t most_loaded = 4096;
  constexpr int most_times = 4;
  BROADLOOM_CHECK(require_memory(loaded_.size() + 1, 4 * sizeof(Loaded)));
  const std::string_view key = key_of(external);
  const Name* found = places_.find(key);
  if (found == nullptr) {
    if (loaded_.size() == most_loaded) return {};
    found = &places_.find_or_add(key, arena_);
    loaded_.push_back({arena_.copy(external.location), external.offset, Tensor()});
  }
  Loaded& entry = loaded_[found->number];
  if (entry.bytes.has_elements() || entry.times++ == most_times) return {};
  BROADLOOM_TRY(tensor, make_tensor(Dtype::uint8, {bytes}));
  entry.bytes = std::move(tensor);
  entry.is_wanted = true;
  return {};
}

Status ElementStore::give_loaded(const Model& model) {
  if (loaded_.empty()) return {};
  for (const Graph& graph : model.graphs()) {
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

}  // namespace broadloom
