#include "onnx/simplify/simplification.h"

#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "graph/check/checker.h"
#include "graph/structure/relink.h"
#include "onnx/reader_context.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

// Each round but the last makes the model smaller or more constant. No known model needs this many: it is a safety limit.
constexpr int all_rounds = 64;

}  // namespace

Simplification::Simplification(std::size_t size)
    : store_(arena),
      requested_(arena, request),
      file_(Message::model, size),
      current_bytes_(static_cast<std::int64_t>(size)),
      most_rounds_(all_rounds) {
  file_.leave_in_file();
}

// ---- Steps ----

Result<Simplification::State> Simplification::next() {
  if (!is_split_) {
    BROADLOOM_CHECK(file_.next());
    if (file_.wanted().length != 0) return State::wants_part;
    is_split_ = true;
    BROADLOOM_CHECK(start());
  }
  BROADLOOM_CHECK(store_.answered(*model_));
  while (!is_done_) {
    if (const State asked = store_.asks(); asked != State::done) return asked;
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

Simplification::Part Simplification::part() const {
  if (is_split_) return store_.part();
  const SplitFile::Part& wanted = file_.wanted();
  return {{}, static_cast<std::int64_t>(wanted.offset), static_cast<std::int64_t>(wanted.length), wanted.to};
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

// Applies the request to the model that was read.
Status Simplification::apply() {
  constexpr double work_each = 64;
  progress_ = {};
  progress_.work_left = static_cast<double>(std::int64_t{1} << 27) + work_each * static_cast<double>(bytes_before());
  progress_.unasked_left += bytes_before() / 64;
  bool is_sorted = true;
  calls_ = 0;
  for (const Graph& graph : model_->graphs()) {
    std::size_t position = 0;
    for (const Node& node : graph.nodes) is_sorted = is_sorted && graph.order[position++] == &node;
    calls_ += static_cast<std::int64_t>(graph.calls.size());
  }
  progress_.count(Pass::inline_functions, calls_);
  const bool is_asked = !request.sizes.empty() || !request.shapes.empty() || !request.values.empty() || request.has_outputs;
  has_changed_ = is_asked || !is_sorted || calls_ > 0 || (model_->has_functions && !model_->has_calls);
  may_change_ = true;
  rounds_ = 0;
  current_bytes_ = bytes_before();
  BROADLOOM_CHECK(requested_.apply(*model_));
  BROADLOOM_CHECK(check_model(*model_, Unsupported::allowed));
  return request.options.gets_external ? store_.want_small(*model_) : Status();
}

Status Simplification::start() {
  keeps_calls_ = request.options.skipped.test(place_of(Pass::inline_functions));
  BROADLOOM_CHECK(read());
  BROADLOOM_CHECK(count_operators(*model_, before_));
  BROADLOOM_CHECK(require_memory(model_->warnings.size(), sizeof(std::string_view)));
  for (const Warning& warning : model_->warnings) warnings_.push_back(arena.copy(warning.text));
  BROADLOOM_CHECK(requested_.check(*model_));
  return apply();
}

// Reads the file again, because the model became larger than allowed. Parts are requested again.
Status Simplification::start_again() {
  inference_.reset();
  model_.reset();
  store_.clear();
  BROADLOOM_CHECK(read());
  return apply();
}

// Runs shape inference on the current model. Resets inference_ if the model became too large or has chunks to hand over.
Status Simplification::infer() {
  BROADLOOM_CHECK(store_.give_loaded(*model_));
  inference_ = std::make_unique<ShapeInference>(*model_, true, request.options.trusts_names);
  BROADLOOM_CHECK(inference_->run());
  BROADLOOM_TRY(is_small, fits());
  if (!is_small) return start_again();
  if (store_.list_chunks(*model_)) inference_.reset();
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
  store_.unload();
  for (const WantedElements& wanted : progress_.wanted) BROADLOOM_CHECK(store_.want(*wanted.external, wanted.bytes));
  may_change_ = has_changed || store_.is_wanting();
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
