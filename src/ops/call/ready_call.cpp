#include "ops/call/ready_call.h"

#include "ops/call/operator.h"

namespace broadloom {
namespace {

class Around final : public ReadyCall {
 public:
  Around(std::unique_ptr<ReadyCall> part, RunAround run) : part_(std::move(part)), run_(run) {}
  Count workspace_bytes() const override { return part_->workspace_bytes(); }
  bool can_finish() const override { return part_->can_finish(); }
  Status run(const Call& call, std::byte* workspace) override { return run_(call, *part_, workspace, nullptr); }
  Status run_and_finish(const Call& call, std::byte* workspace, Finish* finish) override {
    return run_(call, *part_, workspace, finish);
  }

 private:
  std::unique_ptr<ReadyCall> part_;
  RunAround run_;
};

}  // namespace

Result<Ready> around(Result<Ready> part, RunAround run) {
  if (part && part->call) part->call = std::make_unique<Around>(std::move(part->call), run);
  return part;
}

Status run_once(const Call& call, MakeReady make_ready) {
  BROADLOOM_TRY(ready, make_ready(call, nullptr));
  BROADLOOM_TRY(workspace, Storage::allocate(ready.call->workspace_bytes()));
  return ready.call->run(call, workspace->data());
}

}  // namespace broadloom
