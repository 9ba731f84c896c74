// Models bound to tensors: runs that make no object in JavaScript. js/src/model/bound-model.ts has the other side.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/memory.h"
#include "core/text.h"
#include "feeds.h"
#include "frame.h"
#include "functions.h"
#include "graph/run/growth.h"
#include "kernels/movement/strided.h"
#include "models.h"
#include "ops/call/dense.h"
#include "tensors.h"

namespace broadloom {
namespace {

// An output that is an input of the next run.
struct State {
  std::size_t feed;
  std::size_t output;
  bool is_appended;  // a Concat writes the output: the input, and more behind it
  Tensor first;      // at the first run
  Tensor now;
};

struct Binding {
  ModelRun* runs;
  // JavaScript owns the tensors of feeds and outputs. The binding owns the tensors of states.
  std::vector<ModelRun::Feed> feeds;
  std::vector<Tensor*> outputs;  // nullptr for a state
  std::vector<State> states;
};

Binding& binding_at(double handle) { return *reinterpret_cast<Binding*>(static_cast<std::uintptr_t>(handle)); }

std::string_view name_of_output(const Model& model, std::size_t number) {
  for (const GraphOutput& output : model.graph->outputs) {
    if (number-- == 0) return output.value->name;
  }
  return {};
}

// A dense tensor of the same elements, which shares no storage.
Result<Tensor> copy_of(const Tensor& tensor, std::string_view name) {
  if (tensor.dtype == Dtype::string) return fail(Code::UnsupportedType, "bind: {} has strings", quoted(name));
  BROADLOOM_TRY(shared, share(tensor));
  BROADLOOM_CHECK(expose(shared));
  return std::move(shared);
}

Status must_be_like(const Tensor& found, const Tensor& wanted, std::string_view name) {
  if (found.dtype == wanted.dtype && found.dims() == wanted.dims()) return {};
  return fail(Code::InvalidArgument, "bind: output {} is {} {}, wanted {} {}", quoted(name), found.dtype, found.dims().values(),
              wanted.dtype, wanted.dims().values());
}

Status copy_elements(Tensor& to, const Tensor& from) {
  if (!is_packed(from.dtype)) {
    return materialize_watched(to.data(), from.data(), from.layout, item_size(from.dtype));
  }
  BROADLOOM_TRY(dense, densify(from));
  std::copy_n(dense.data(), to.storage->size(), to.data());
  return {};
}

Result<std::size_t> find_feed(std::span<const ModelRun::Feed> feeds, std::string_view name) {
  const auto found = std::find_if(feeds.begin(), feeds.end(), [&](const ModelRun::Feed& feed) { return feed.name == name; });
  if (found == feeds.end()) return fail(Code::InvalidArgument, "bind: states: no feed {}", quoted(name));
  return static_cast<std::size_t>(found - feeds.begin());
}

Result<std::size_t> find_output(const Model& model, std::string_view name) {
  std::size_t number = 0;
  for (const GraphOutput& output : model.graph->outputs) {
    if (output.value->name == name) return number;
    ++number;
  }
  return fail(Code::InvalidArgument, "bind: states: no output {}", quoted(name));
}

// Fails if the next run does not take the output.
Status check_state(ModelRun& runs, std::string_view feed, const Tensor& found, std::string_view output) {
  const ModelRun::Feed next[] = {{feed, &found}};
  Status status = runs.check(next);
  if (!status) status.error()->message.prepend("bind: output {} is a state: ", quoted(output));
  return status;
}

// A tensor of the same elements that shares no storage.
Result<Tensor> unshared(const Tensor& tensor, std::string_view name) {
  BROADLOOM_TRY(copied, copy_of(tensor, name));
  copied.storage->exposed = false;  // nobody has a view of it
  return std::move(copied);
}

// The next state: the output, or a copy of it if it would share storage that grows.
Result<Tensor> next_state(const State& state, Tensor output, std::string_view name) {
  const bool is_in_place = output.storage && state.now.storage && &*output.storage == &*state.now.storage;
  if (output.storage && output.storage->grows) {
    // The old state and the output have the storage. Another state may have a view of it.
    if (output.storage->references() > (is_in_place ? 2U : 1U)) return unshared(output, name);
    return std::move(output);
  }
  std::optional<Tensor> grown = state.is_appended ? with_room(output, state.now) : std::nullopt;
  return grown ? std::move(*grown) : std::move(output);
}

Status run_bound(Binding& binding, std::span<ModelRun::Feed> feeds) {
  for (const State& state : binding.states) feeds[state.feed].tensor = &state.now;
  BROADLOOM_TRY(results, binding.runs->run(feeds));
  for (const State& state : binding.states) {
    const std::string_view name = name_of_output(binding.runs->model(), state.output);
    BROADLOOM_CHECK(check_state(*binding.runs, feeds[state.feed].name, results[state.output], name));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (binding.outputs[i] == nullptr) continue;
    BROADLOOM_CHECK(must_be_like(results[i], *binding.outputs[i], name_of_output(binding.runs->model(), i)));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (binding.outputs[i] != nullptr) BROADLOOM_CHECK(copy_elements(*binding.outputs[i], results[i]));
  }
  BROADLOOM_TRY(next, allocate_vector<Tensor>(binding.states.size()));
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::move(results[binding.states[i].output]);
  results.clear();
  for (std::size_t i = 0; i < next.size(); ++i) {
    const State& state = binding.states[i];
    BROADLOOM_TRY(made, next_state(state, std::move(next[i]), name_of_output(binding.runs->model(), state.output)));
    next[i] = std::move(made);
  }
  for (std::size_t i = 0; i < next.size(); ++i) binding.states[i].now = std::move(next[i]);
  return {};
}

// Feeds that take the place of bound inputs for one run.
Status run_bound_with(Binding& binding, std::span<const ModelRun::Feed> given) {
  std::vector<ModelRun::Feed> feeds = binding.feeds;
  for (const ModelRun::Feed& feed : given) {
    const auto found = std::find_if(feeds.begin(), feeds.end(), [&](const auto& one) { return one.name == feed.name; });
    const auto number = found - feeds.begin();
    const bool is_state = std::any_of(binding.states.begin(), binding.states.end(),
                                      [&](const State& state) { return state.feed == in_memory(number); });
    if (is_state) return fail(Code::InvalidArgument, "run: input {} is a state", quoted(feed.name));
    if (found == feeds.end()) {
      feeds.push_back(feed);  // one with a default
    } else {
      found->tensor = feed.tensor;
    }
  }
  return run_bound(binding, feeds);
}

}  // namespace

// model; feeds (feeds.h); 0; number of states, then names of the input and the output of each
// -> the binding; tensors: copies of the feeds, then the outputs, both without states
double bindModel(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    const Model& model = model_of(handle);
    FrameReader frame;
    auto binding = std::make_unique<Binding>();
    binding->runs = &open_model(handle).runs;
    BROADLOOM_TRY(given, read_feeds(frame, model));
    std::vector<ModelRun::Feed>& feeds = given.list;
    // A run finds errors about feeds.
    BROADLOOM_TRY(results, binding->runs->run(feeds));
    static_cast<void>(frame.size());  // names of outputs
    BROADLOOM_CHECK(require_memory(feeds.size() + results.size(), 2 * (sizeof(State) + sizeof(Tensor))));
    binding->outputs.resize(results.size());
    std::vector<bool> is_fed(feeds.size());
    std::vector<bool> is_fed_back(results.size());
    for (ModelRun::Feed& feed : feeds) feed.name = model.find(feed.name)->name;  // the page's text does not stay
    for (std::size_t count = frame.size(); count > 0; --count) {
      BROADLOOM_TRY(feed, find_feed(feeds, frame.string()));
      BROADLOOM_TRY(output, find_output(model, frame.string()));
      BROADLOOM_TRY(first, unshared(*feeds[feed].tensor, feeds[feed].name));
      BROADLOOM_CHECK(check_state(*binding->runs, feeds[feed].name, results[output], name_of_output(model, output)));
      binding->states.push_back({feed, output, binding->runs->appends(feeds[feed].name, output), first, first});
      is_fed[feed] = is_fed_back[output] = true;
    }
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < feeds.size(); ++i) {
      if (is_fed[i]) continue;
      BROADLOOM_TRY(copied, copy_of(*feeds[i].tensor, feeds[i].name));
      tensors.push_back(std::move(copied));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (is_fed_back[i]) continue;
      BROADLOOM_TRY(copied, copy_of(results[i], name_of_output(model, i)));
      tensors.push_back(std::move(copied));
    }
    BROADLOOM_TRY(written, frame_for(tensors));
    written.pointer(binding.get());
    written.number(static_cast<double>(tensors.size()));
    auto next = tensors.begin();
    const auto place = [&]() -> Tensor* { return &tensor_of(own_and_write(written, std::move(*next++))); };
    for (std::size_t i = 0; i < feeds.size(); ++i) {
      if (!is_fed[i]) feeds[i].tensor = place();
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!is_fed_back[i]) binding->outputs[i] = place();
    }
    binding->feeds = std::move(feeds);
    static_cast<void>(binding.release());
    return {};
  }());
}

// Reads the inputs, and writes the outputs in place.
double runBinding(double handle) { return finish(run_bound(binding_at(handle), binding_at(handle).feeds)); }

// feeds (feeds.h) that are read instead of bound inputs
double runBindingWith(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    Binding& binding = binding_at(handle);
    FrameReader frame;
    BROADLOOM_TRY(given, read_feeds(frame, binding.runs->model()));
    BROADLOOM_CHECK(require_memory(binding.feeds.size() + given.list.size(), 2 * sizeof(ModelRun::Feed)));
    return run_bound_with(binding, given.list);
  }());
}

// States are those at the first run again.
void resetBinding(double handle) {
  for (State& state : binding_at(handle).states) state.now = state.first;
}

void disposeBinding(double handle) { delete &binding_at(handle); }

}  // namespace broadloom
