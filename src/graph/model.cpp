#include "graph/model.h"

#include <algorithm>
#include <optional>

#include "core/count.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/execution.h"
#include "graph/extract.h"
#include "graph/optimize.h"
#include "graph/plans.h"
#include "ops/dense.h"

namespace broadloom {
namespace {

constexpr std::size_t most_warnings = 100;

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

Status check_feed(const ValueInfo& info, const Tensor& tensor) {
  if (!info.is_tensor()) {
    return fail(Code::UnsupportedType, "input {} is {}; only tensors can be fed", quoted(info.name), info.kind);
  }
  // Nodes were checked with the declared types.
  if (info.dtype == Dtype::undefined) {
    return fail(Code::UnsupportedType, "input {} declares no element type, so the model cannot run", quoted(info.name));
  }
  if (tensor.dtype != info.dtype) {
    return fail(Code::InvalidArgument, "input {} is {}, wanted {}", quoted(info.name), tensor.dtype, info.dtype);
  }
  if (!info.has_shape) return {};
  const std::span<const std::int64_t> dims = tensor.run_dims();
  bool fits = dims.size() == info.dims.size();
  auto size = dims.begin();
  for (const Dimension& dim : info.dims) {
    if (!fits) break;
    fits = dim.value < 0 || dim.value == *size;
    ++size;
  }
  if (fits) return {};
  const Error error = make_error(Code::InvalidArgument, "input {} has dims {}, wanted ", quoted(info.name), dims);
  append_dims(error->message, info);
  return Failure(error);
}

Result<Tensor> elements_of(const Value& value, const Initializer* initializer) {
  if (initializer != nullptr && initializer->tensor.has_elements()) {
    const Storage::Substitute* const substitute = initializer->tensor.storage->substitute();
    if (substitute == nullptr) return share(initializer->tensor);
    Tensor copy = initializer->tensor;
    BROADLOOM_TRY(storage, Storage::allocate(copy.storage->size()));
    substitute->write(storage->data());
    copy.storage = std::move(storage);
    return copy;
  }
  if (initializer == nullptr || initializer->sparse == nullptr) {
    const ExternalData* external = initializer == nullptr ? nullptr : initializer->external;
    return fail(Code::InvalidModel, "the external data of {}, in file {}, was not given: loadModel takes the option external",
                quoted(value.name), quoted(external == nullptr ? std::string_view() : external->location));
  }
  BROADLOOM_TRY(dense, make_tensor(initializer->tensor.dtype, initializer->tensor.dims()));
  BROADLOOM_CHECK(write_dense(*initializer->sparse, dense));
  return std::move(dense);
}

Failure no_input(std::string_view name, const Graph& graph) {
  const Error error = make_error(Code::InvalidArgument, "no input {}; the model has", quoted(name));
  const char* separator = "";
  for (const GraphInput& input : graph.inputs) {
    if (error->message.is_full()) break;
    error->message.append("{} {}", separator, quoted(input.info.name));
    separator = ",";
  }
  if (graph.inputs.size() == 0) error->message.append(" none");
  return Failure(error);
}

Result<std::vector<std::string_view>> size_names(const Model& model) {
  BROADLOOM_TRY(names, allocate_vector<std::string_view>(model.symbols.size()));
  for (const Name* symbol = model.symbols.last(); symbol != nullptr; symbol = symbol->next)
    names[symbol->number] = symbol->text;
  return std::move(names);
}

Failure in_node(Error error, const Node& node) {
  if (!error->node.empty()) return Failure(error);
  append_label(error->node, node);
  error->message.prepend("node {}: ", quoted(error->node.view()));
  return Failure(error);
}

Model::Model() = default;

Model::~Model() {
  extracts_.clear();
  plans_.reset();
  for (Graph& one : graphs_) {
    one.nodes.destroy();
    one.calls.destroy();
    one.initializers.destroy();
  }
}

void Model::warn_with(const char* pattern, std::span<const Part> parts) const {
  if (warnings.size() > most_warnings || !require_memory()) return;
  Text text;
  if (warnings.size() == most_warnings) {
    text.append("there are more warnings than these");
  } else {
    text.append_parts(pattern, parts);
  }
  warnings.add(texts_).text = texts_.copy(text.view());
}

// Exporters give one name to sizes that differ. Each such name has one warning. `sizes` has the sizes so far, by the numbers of
// their names; -1 for none.
void Model::warn_of_sizes(const ValueInfo& info, const Tensor& tensor, std::span<std::int64_t> sizes) const {
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
    warn("sizes of inputs that the file calls {} differ in a run: it is {} in {}, but {} elsewhere", quoted(dim.name), own,
         quoted(info.name), known);
  }
}

Status Model::check_supported() const {
  for (const Graph& one : graphs_) {
    for (const Node& node : one.nodes) {
      if (node.error.empty()) continue;
      const Error error = make_error(node.code, "{}", node.error);
      error->op.append("{}", clipped(node.op_type));
      error->opset = node.opset;
      return in_node(error, node);
    }
  }
  return {};
}

Status Model::check_inputs(Inputs inputs, bool is_complete) const {
  std::size_t count = 0;  // of named sizes
  for (const GraphInput& input : graph->inputs) {
    for (const Dimension& dim : input.info.dims) count = std::max(count, in_memory(dim.symbol + 1));
  }
  BROADLOOM_TRY(sizes, allocate_vector<std::int64_t>(count));
  std::fill(sizes.begin(), sizes.end(), -1);
  for (const GraphInput& input : graph->inputs) {
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

Status Model::bind(Inputs inputs, std::span<Tensor> frame) const {
  BROADLOOM_CHECK(check_inputs(inputs, true));
  for (const GraphInput& input : graph->inputs) {
    const Tensor* tensor = inputs[input.number];
    frame[input.value->place] = tensor == nullptr ? input.initializer->tensor : *tensor;
  }
  return {};
}

Result<std::vector<Tensor>> Model::make_frame() const {
  BROADLOOM_TRY(frame, allocate_vector<Tensor>(frame_size));
  for (const Graph& one : graphs_) {
    for (const Initializer& initializer : one.initializers) {
      if (initializer.value->input != nullptr) continue;
      if (initializer.tensor.has_elements()) BROADLOOM_CHECK(initializer.tensor.storage->bring_back());
      frame[initializer.value->place] = initializer.tensor;
    }
  }
  return std::move(frame);
}

Result<std::vector<Tensor>> Model::take_results(Execution& execution, std::span<const Tensor> frame) const {
  BROADLOOM_TRY(results, allocate_vector<Tensor>(graph->outputs.size()));
  Tensor* next = results.data();
  for (const GraphOutput& output : graph->outputs) {
    BROADLOOM_CHECK(execution.give_elements(*output.value));
    BROADLOOM_TRY(result, share(frame[output.value->place]));
    *next++ = std::move(result);
  }
  return std::move(results);
}

Result<std::vector<Tensor>> Model::run_by_node(Inputs inputs, const RunOptions& options) const {
  BROADLOOM_TRY(frame, make_frame());
  BROADLOOM_CHECK(bind(inputs, frame));
  Execution execution(frame);
  execution.fuse(options.optimizes);
  execution.write_to(options.profile);
  BROADLOOM_CHECK(execution.run(*graph));
  return take_results(execution, frame);
}

Result<std::vector<Tensor>> Model::run_planned(Inputs inputs, Profile* profile) const {
  // The first run packs weights: those of 22 MB made the memory grow by 32 MB.
  std::optional<GrowthAhead> ahead;
  if (plans_ == nullptr) {
    ahead.emplace(std::size_t{1} << 20);
    BROADLOOM_CHECK(check_supported());
    BROADLOOM_CHECK(require_memory());
    optimized_ = optimized(*this);
    plans_ = std::make_unique<Plans>(optimized_ != nullptr ? *optimized_ : *this);
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

Status check_feed(const Model::Feed& feed) {
  Status status = check_exposed(*feed.tensor);
  if (!status) status.error()->message.prepend("input {}: ", quoted(feed.name));
  return status;
}

}  // namespace

Result<std::vector<Tensor>> Model::run_inputs(Inputs inputs, const RunOptions& options) const {
  if (options.optimizes) return run_planned(inputs, options.profile);
  BROADLOOM_CHECK(check_supported());
  return run_by_node(inputs, options);
}

Result<std::vector<Tensor>> Model::run(std::span<const Feed> feeds, const RunOptions& options) const {
  if (graph->inputs.size() > 8) BROADLOOM_CHECK(require_memory(graph->inputs.size(), sizeof(void*)));
  InlineVector<const Tensor*, 8> inputs(graph->inputs.size());
  for (const Feed& feed : feeds) {
    BROADLOOM_CHECK(check_feed(feed));
    const Value* value = find(feed.name);
    if (value == nullptr || value->input == nullptr) return no_input(feed.name, *graph);
    inputs[value->input->number] = feed.tensor;
  }
  return options.outputs.empty() ? run_inputs(inputs.values(), options) : run_extract(inputs.values(), options);
}

// ---- Other outputs ----

Result<const Value*> Model::find_value(std::string_view name) const {
  const Value* value = find(name);
  if (value != nullptr && value->exists() && value->graph == graph) return value;
  // Values of functions have other names now than when they were read.
  for (const Node& node : graph->nodes) {
    for (const Value* output : node.outputs) {
      if (output != nullptr && output->name == name) return output;
    }
  }
  return fail(Code::InvalidArgument, "outputs: no value {}", quoted(name));
}

Result<Extract*> Model::find_extract(std::span<const std::string_view> wanted) const {
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
  BROADLOOM_TRY(made, extract(*this, values));
  made->model->whole_ = this;
  if (extracts_.size() == most_extracts) extracts_.pop_back();
  extracts_.insert(extracts_.begin(), std::move(made));
  return extracts_.front().get();
}

Result<std::vector<Tensor>> Model::run_extract(Inputs inputs, const RunOptions& options) const {
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
  return found->model->run_inputs(needed.values(), {options.optimizes, options.profile});
}

}  // namespace broadloom
