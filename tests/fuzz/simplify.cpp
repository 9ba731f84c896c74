// Any bytes as options and a model: it is simplified, or there is an error. The result can be read, computes the same bits, and
// can be simplified again. The first bytes are the options.
#include "fuzz/mutator.h"
#include "fuzz/runs.h"
#include "fuzz/target.h"
#include "support/simplified.h"

namespace broadloom::fuzz {
namespace {

constexpr std::size_t header = 8;

// Options of these bytes, for a model with these inputs and outputs. Zeros ask for nothing.
test::Wish wish_of(std::string_view bytes, const Model& model, test::Feeds& feeds) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto has = [&](std::size_t i, unsigned bit) { return ((byte(i) >> bit) & 1U) != 0; };
  test::Wish wish;
  wish.value_info = has(0, 0);
  wish.fuses = has(0, 1);
  wish.grows = !has(0, 2);
  wish.growth = has(0, 3) ? byte(6) : 1 << 20;
  wish.unroll = has(0, 4) ? byte(7) % 8 : 0;
  if (has(0, 5)) wish.steps = byte(7);
  if (has(0, 6)) wish.files = {{"f", std::string(100, '\1')}};
  for (std::size_t pass = 0; pass < pass_count; ++pass) {
    if (has(1, 0) && (byte(2 + pass % 4) >> (pass / 4 % 8) & 1U) != 0) wish.skipped.push_back(static_cast<Pass>(pass));
  }
  // Sizes and values are those of the feeds, so that both models can run with these.
  std::size_t i = 0;
  for (const GraphInput& input : model.graph->inputs) {
    const auto feed = std::find_if(feeds.begin(), feeds.end(), [&](const auto& one) { return one.first == input.info.name; });
    if (feed == feeds.end() || i == 8) continue;
    const std::span<const std::int64_t> sizes = feed->second.run_dims();
    std::size_t axis = 0;
    for (const Dimension& dim : input.info.dims) {
      if (axis == sizes.size()) break;
      if (has(1, 1) && !dim.name.empty()) wish.dims.emplace_back(dim.name, sizes[axis]);
      ++axis;
    }
    if (has(1, 2) && has(2, static_cast<unsigned>(i))) {
      wish.shapes.emplace_back(feed->first, std::vector<test::Size>(sizes.begin(), sizes.end()));
    }
    if (has(1, 3) && has(3, static_cast<unsigned>(i))) wish.values.push_back(*feed);
    ++i;
  }
  if (has(1, 4)) {
    wish.outputs.emplace();
    for (const GraphOutput& output : model.graph->outputs) {
      if (has(4, static_cast<unsigned>(wish.outputs->size() % 8))) wish.outputs->emplace_back(output.info.name);
    }
  }
  return wish;
}

// The outputs that both models have, in the order of the second.
void expect_same_outputs(const Model& before, const Outcome& wanted, const Model& after, const Outcome& made) {
  if (wanted.is_too_large || made.is_too_large || !wanted.error.empty()) return;
  note("compared");
  ASSERT_EQ(made.error, "") << "the simplified model fails";
  std::size_t i = 0;
  for (const GraphOutput& output : after.graph->outputs) {
    std::size_t j = 0;
    for (const GraphOutput& one : before.graph->outputs) {
      if (one.info.name == output.info.name) break;
      ++j;
    }
    ASSERT_LT(j, wanted.outputs.size()) << "the output " << output.info.name << " is new";
    SCOPED_TRACE(output.info.name);
    expect_same(wanted.outputs[j], made.outputs[i++]);
  }
}

// A model, and what a run of it gives.
struct Reference {
  std::unique_ptr<Model> model;
  test::Feeds feeds;
  Outcome outcome;
};

void simplify(std::string_view bytes) {
  if (bytes.size() < header) return;
  const std::string_view file = bytes.substr(header);
  test::Random random(number_of(file));
  Reference before;
  ReadOptions allowing;
  allowing.unsupported = Unsupported::allowed;
  if (auto read = read_model(file, allowing)) {
    before.model = std::move(*read);
  } else {
    expect_proper_error(read);
  }
  test::Wish wish;
  bool is_comparable = false;
  if (before.model != nullptr) {
    before.feeds = random_feeds(*before.model, random, Defaults::stay);
    wish = wish_of(bytes, *before.model, before.feeds);
    ModelRun runs(*before.model);
    before.outcome = outcome_of(runs, before.feeds, {.optimizes = false});
    is_comparable = !wish.fuses && !wish.files && !before.outcome.is_too_large;
  }
  auto simplified = test::try_simplify(file, wish);
  note(simplified ? "simplified" : "refused");
  if (!simplified) return static_cast<void>(expect_proper_error(simplified));
  if (is_comparable) {
    test::Feeds left;
    for (const auto& feed : before.feeds) {
      const Value* value = simplified->model->find(feed.first);
      if (value != nullptr && value->input != nullptr) left.push_back(feed);
    }
    const Model& after = *simplified->model;
    ModelRun runs(after);
    expect_same_outputs(*before.model, before.outcome, after, outcome_of(runs, left, {}));
  }
  // The request fits the file, not its result.
  test::Wish nothing;
  nothing.files = wish.files;
  const auto again = test::try_simplify(simplified->bytes, nothing);
  if (!again) EXPECT_TRUE(is_about_size(expect_proper_error(again))) << "the result cannot be simplified again";
}

}  // namespace
}  // namespace broadloom::fuzz

BROADLOOM_FUZZ_TARGET("simplify", simplify);
BROADLOOM_FUZZ_MODELS(::broadloom::fuzz::header);
