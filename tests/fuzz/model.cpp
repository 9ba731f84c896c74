// Any bytes as a model: it is read, inferred, described, planned and run, or there is an error. A planned run gives the bits of
// a run node by node, and so does the second one, and one on views.
#include <algorithm>

#include "descriptions/json_page.h"
#include "functions.h"
#include "fuzz/json.h"
#include "fuzz/mutator.h"
#include "fuzz/runs.h"
#include "fuzz/target.h"
#include "models.h"
#include "support/sound_inference.h"

namespace broadloom::fuzz {
namespace {

// The JSON that a function of the bindings leaves on the page, or "" for an error.
std::string json_of(double result) {
  if (result <= 0) {
    Error::forget();
    return {};
  }
  FrameReader frame;
  return std::string(frame.string());
}

void describe(const OpenModel& open) {
  const auto handle = static_cast<double>(reinterpret_cast<std::uintptr_t>(&open));
  for (const auto describe : {describeNodes, describeModel, describeExternal}) {
    const std::string json = json_of(describe(handle));
    EXPECT_TRUE(json.empty() || is_json(json)) << json;
  }
}

// Feeds with these elements in other orders in memory.
test::Feeds views_of(test::Feeds feeds, test::Random& random) {
  for (auto& [name, tensor] : feeds) {
    if (!is_packed(tensor.dtype) && tensor.dtype != Dtype::string) tensor = test::scrambled(tensor, random);
  }
  return feeds;
}

// Whether inputs are fed that inference takes for constants: initializers of files before defaults.
bool feeds_constants(const Model& model, const test::Feeds& feeds) {
  if (model.ir_version >= first_ir_version_with_defaults) return false;
  return std::any_of(feeds.begin(), feeds.end(), [&](const auto& feed) {
    const Value* value = model.find(feed.first);
    return value != nullptr && value->input != nullptr && value->input->initializer != nullptr;
  });
}

void model(std::string_view bytes) {
  test::Random random(number_of(bytes));
  ReadOptions options;
  options.unsupported = random.one_in(2) ? Unsupported::allowed : Unsupported::refused;
  options.keeps_calls = random.one_in(8);
  auto read = read_model(bytes, options);
  note(read ? "read" : "refused");
  if (!read) return static_cast<void>(expect_proper_error(read));
  OpenModel open(std::move(*read));
  const Model& model = *open.model;
  ShapeInference inference(model);
  const Status inferred = inference.run();
  if (!inferred) expect_proper_error(inferred);
  describe(open);

  const test::Feeds feeds = random_feeds(model, random, Defaults::are_fed_now_and_then);
  const Outcome by_node = outcome_of(open.runs, feeds, {.optimizes = false});
  note(by_node.is_too_large ? "too large" : by_node.error.empty() ? "ran" : "failed");
  if (by_node.is_too_large) return;
  if (inferred && by_node.error.empty() && !feeds_constants(model, feeds)) {
    EXPECT_FALSE(inference.fails());
    test::expect_sound(model, inference, feeds, by_node.outputs);
  }
  const Outcome planned = outcome_of(open.runs, feeds, {});
  expect_same(planned, by_node);
  expect_same(outcome_of(open.runs, feeds, {}), by_node);
  expect_same(outcome_of(open.runs, views_of(feeds, random), {}), by_node);
}

}  // namespace
}  // namespace broadloom::fuzz

BROADLOOM_FUZZ_TARGET("model", model);
BROADLOOM_FUZZ_MODELS(0);
