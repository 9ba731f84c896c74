#include "graph/run/model_run.h"

#include <algorithm>
#include <optional>

#include "core/count.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/execute/execution.h"
#include "graph/rewrite/optimize.h"
#include "graph/run/extract.h"
#include "ops/call/dense.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

[[gnu::cold, gnu::noinline]] Failure missing(const ValueInfo& info) {
  const Error error = make_error(Code::InvalidArgument, "input {} is missing", quoted(info.name));
  if (info.dtype != Dtype::undefined) error->message.append(", wanted {}", info.dtype);
  if (info.has_shape) {
    error->message.append(" ");
    append_dims(error->message, info);
  }
  return Failure(error);
}

}  // namespace

ModelRun::ModelRun(const Model& model) : model_(model) {}

ModelRun::~ModelRun() = default;

// Exporters give one name to sizes that differ. Each such name has one warning. `sizes` has the sizes so far, by the numbers of
// their names; -1 for none.
void ModelRun::warn_of_sizes(const ValueInfo& info, const Tensor& tensor, std::span<std::int64_t> sizes) {
  if (whole_ != nullptr) return whole_->warn_of_sizes(info, tensor, sizes);
  const std::int64_t* size = tensor.run_dims().data();
  for (const Dimension& dim : info.dims) {
    const std::int64_t own = *size++;
    if (dim.symbol < 0) continue;
    const auto symbol = in_memory(dim.symbol);
    const std::int64_t known = sizes[symbol];
    if (known < 0) sizes[symbol] = own;
    if (known < 0 || known == own) continue;
    if (has_several_sizes_.size() < sizes.size()) {
      if (!require_memory(sizes.size(), 1)) return Error::forget();
      has_several_sizes_.resize(sizes.size());
    }
    if (has_several_sizes_[symbol]) continue;
    has_several_sizes_[symbol] = true;
    model_.warn("sizes of inputs that the file calls {} differ in a run: it is {} in {}, but {} elsewhere", quoted(dim.name),
                own, quoted(info.name), known);
  }
}

Status ModelRun::check_supported() const {
  for (const Graph& one : model_.graphs()) {
    for (const Node& node : one.nodes) {
      if (node.runs()) continue;
      const Error error = make_error(node.fault->code, "{}", node.fault->text);
      error->op.append("{}", clipped(node.op_type));
      error->opset = node.opset;
      return in_node(error, node);
    }
  }
  return {};
}

Status ModelRun::check_inputs(Inputs inputs, bool is_complete) {
  std::size_t count = 0;  // of named sizes
  for (const GraphInput& input : model_.graph->inputs) {
    for (const Dimension& dim : input.info.dims) count = std::max(count, in_memory(dim.symbol + 1));
  }
  BROADLOOM_TRY(sizes, allocate_vector<std::int64_t>(count));
  std::fill(sizes.begin(), sizes.end(), -1);
  for (const GraphInput& input : model_.graph->inputs) {
    const Tensor* tensor = inputs[input.number];
    if (tensor == nullptr && input.initializer != nullptr) tensor = &input.initializer->tensor;
    if (tensor != nullptr) {
      BROADLOOM_CHECK(check_feed(input.info, *tensor));
      warn_of_sizes(input.info, *tensor, sizes);
    } else if (is_complete) {
      return missing(input.info);
    }
  }
  return {};
}

Status ModelRun::bind(Inputs inputs, std::span<Tensor> frame) {
  BROADLOOM_CHECK(check_inputs(inputs, true));
  for (const GraphInput& input : model_.graph->inputs) {
    const Tensor* tensor = inputs[input.number];
    frame[input.value->place] = tensor == nullptr ? input.initializer->tensor : *tensor;
  }
  return {};
}

Result<std::vector<Tensor>> ModelRun::run_by_node(Inputs inputs, const Options& options) {
  BROADLOOM_TRY(frame, make_frame(model_));
  BROADLOOM_CHECK(bind(inputs, frame));
  Execution execution(frame);
  execution.fuse(options.optimizes);
  execution.write_to(options.profile);
  BROADLOOM_CHECK(execution.run(*model_.graph));
  return execution.take_results(*model_.graph);
}

Result<std::vector<Tensor>> ModelRun::run_planned(Inputs inputs, Profile* profile) {
  // The first run packs weights: those of 22 MB made the memory grow by 32 MB.
  std::optional<GrowthAhead> ahead;
  if (plans_ == nullptr) {
    ahead.emplace(std::size_t{1} << 20);
    BROADLOOM_CHECK(check_supported());
    BROADLOOM_CHECK(require_memory());
    optimized_ = optimized(model_);
    plans_ = std::make_unique<Plans>(optimized_ != nullptr ? *optimized_ : model_);
  }
  Plan* plan = plans_->find(inputs);
  if (plan == nullptr) {
    BROADLOOM_CHECK(check_inputs(inputs, true));
    plan = plans_->find_or_make(inputs);
  }
  if (plan == nullptr) return run_by_node(inputs, {true, profile});
  Result<std::vector<Tensor>> results = plans_->run(*plan, inputs, profile);
  if (results) return results;
  // A run node by node needs less memory at a time. Its errors name nodes of the file.
  const bool is_short = results.error()->code == Code::OutOfMemory;
  if (!is_short && optimized_ == nullptr) return results;
  results = Result<std::vector<Tensor>>();
  Error::forget();
  if (is_short) plans_->release();
  return run_by_node(inputs, {true, profile});
}

namespace {

Status check_feed(const ModelRun::Feed& feed) {
  Status status = check_exposed(*feed.tensor);
  if (!status) status.error()->message.prepend("input {}: ", quoted(feed.name));
  return status;
}

}  // namespace

Result<std::vector<Tensor>> ModelRun::run_inputs(Inputs inputs, const Options& options) {
  if (options.optimizes) return run_planned(inputs, options.profile);
  BROADLOOM_CHECK(check_supported());
  return run_by_node(inputs, options);
}

Status ModelRun::find_inputs(std::span<const Feed> feeds, std::span<const Tensor*> inputs) const {
  for (const Feed& feed : feeds) {
    BROADLOOM_CHECK(check_feed(feed));
    const Value* value = model_.find(feed.name);
    if (value == nullptr || value->input == nullptr) return no_input(feed.name, *model_.graph);
    inputs[value->input->number] = feed.tensor;
  }
  return {};
}

Status ModelRun::check(std::span<const Feed> feeds) {
  BROADLOOM_TRY(inputs, allocate_vector<const Tensor*>(model_.graph->inputs.size()));
  BROADLOOM_CHECK(find_inputs(feeds, inputs));
  return check_inputs(inputs, false);
}

bool ModelRun::appends(std::string_view input, std::size_t output) const {
  const Model& model = optimized_ != nullptr ? *optimized_ : model_;
  for (const GraphOutput& one : model.graph->outputs) {
    if (output-- > 0) continue;
    const Node* node = one.value->producer;
    return node != nullptr && node->op == &op::concat && node->inputs[0] != nullptr && node->inputs[0] == model.find(input);
  }
  return false;
}

Result<std::vector<Tensor>> ModelRun::run(std::span<const Feed> feeds, const Options& options) {
  if (model_.graph->inputs.size() > 8) BROADLOOM_CHECK(require_memory(model_.graph->inputs.size(), sizeof(void*)));
  InlineVector<const Tensor*, 8> inputs(model_.graph->inputs.size());
  BROADLOOM_CHECK(find_inputs(feeds, {inputs.data(), inputs.size()}));
  return options.outputs.empty() ? run_inputs(inputs.values(), options) : run_extract(inputs.values(), options);
}

// ---- Other outputs ----

Result<const Value*> ModelRun::find_value(std::string_view name) const {
  const Value* value = model_.find(name);
  if (value != nullptr && value->exists() && value->graph == model_.graph) return value;
  // Values of functions have other names now than when they were read.
  for (const Node& node : model_.graph->nodes) {
    for (const Value* output : node.outputs) {
      if (output != nullptr && output->name == name) return output;
    }
  }
  return fail(Code::InvalidArgument, "outputs: no value {}", quoted(name));
}

Result<Extract*> ModelRun::find_extract(std::span<const std::string_view> wanted) {
  constexpr std::size_t most_extracts = 4;
  for (auto& one : extracts_) {
    const bool fits = std::equal(one->values.begin(), one->values.end(), wanted.begin(), wanted.end(),
                                 [](const Value* value, std::string_view name) { return value->name == name; });
    if (!fits) continue;
    std::swap(one, extracts_.front());
    return extracts_.front().get();
  }
  BROADLOOM_TRY(values, allocate_vector<const Value*>(wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    BROADLOOM_TRY(value, find_value(wanted[i]));
    values[i] = value;
  }
  BROADLOOM_TRY(made, extract(model_, values));
  made->run->whole_ = this;
  if (extracts_.size() == most_extracts) extracts_.pop_back();
  extracts_.insert(extracts_.begin(), std::move(made));
  return extracts_.front().get();
}

Result<std::vector<Tensor>> ModelRun::run_extract(Inputs inputs, const Options& options) {
  BROADLOOM_TRY(found, find_extract(options.outputs));
  const std::vector<std::size_t>& numbers = found->inputs;
  if (numbers.size() > 8) BROADLOOM_CHECK(require_memory(numbers.size(), sizeof(void*)));
  InlineVector<const Tensor*, 8> needed(numbers.size());
  std::size_t given = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    needed[i] = inputs[numbers[i]];
    given += needed[i] == nullptr ? 0 : 1;
  }
  const std::size_t all_given = inputs.size() - in_memory(std::count(inputs.begin(), inputs.end(), nullptr));
  // A feed that is not needed must be right, too.
  if (all_given > given) BROADLOOM_CHECK(check_inputs(inputs, false));
  return found->run->run_inputs(needed.values(), {options.optimizes, options.profile});
}

}  // namespace broadloom
