#include "feeds.h"

#include "core/memory.h"
#include "graph/run/feed_values.h"
#include "tensors.h"

namespace broadloom {

Result<Feeds> read_feeds(FrameReader& frame, const Model& model) {
  BROADLOOM_TRY(list, allocate_vector<ModelRun::Feed>(frame.size()));
  Feeds feeds{std::move(list), {}};
  for (ModelRun::Feed& feed : feeds.list) {
    feed.name = frame.string();
    const auto form = static_cast<FeedForm>(frame.number());
    feed.tensor = &tensor_of(frame.handle());
    const Value* value = form == FeedForm::tensor ? nullptr : model.find(feed.name);
    if (value == nullptr || value->input == nullptr) continue;  // a run refuses names that no input has
    BROADLOOM_TRY(tensor, declared_tensor(value->input->info, *feed.tensor, form));
    BROADLOOM_CHECK(require_memory());
    feed.tensor = &feeds.own.emplace_back(std::move(tensor));
  }
  return std::move(feeds);
}

}  // namespace broadloom
