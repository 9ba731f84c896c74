// Calls that are made ready to run many times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/count.h"
#include "core/status.h"
#include "core/storage.h"

namespace broadloom {

struct Call;
class PackedOperands;
class Finish;

// A call of a plan. In each run, its tensors have the types and layouts that they had when it was made ready, and its constants
// have their elements. Other elements lie at other addresses. A product of two numbers takes 93 ns, and without this 284.
class ReadyCall {
 public:
  ReadyCall() = default;
  ReadyCall(const ReadyCall&) = delete;
  ReadyCall& operator=(const ReadyCall&) = delete;
  virtual ~ReadyCall() = default;

  // The memory that a run needs, aligned to 16.
  virtual Count workspace_bytes() const { return {}; }
  // As Operator::compute.
  virtual Status run(const Call& call, std::byte* workspace) = 0;

  // Whether run_and_finish has `finish` replace the elements of the only output, while they are in the cache.
  virtual bool can_finish() const { return false; }
  virtual Status run_and_finish(const Call& call, std::byte* workspace, Finish*) { return run(call, workspace); }
};

// The result of Operator::ready. Each part may be absent.
struct Ready {
  StorageRef packed;                                    // a constant operand, in the order in which runs read it: Call::packed
  std::unique_ptr<ReadyCall> call;                      // runs instead of Operator::compute
  std::unique_ptr<Storage::Substitute> substitute;      // makes an input again from `packed`, which alone is read in runs
  std::size_t replaced = 1;                             // the number of that input
  std::unique_ptr<Storage::Substitute> next = nullptr;  // makes the input behind that one again, in the same way
  // Where that input is a matrix, and `packed` its columns in strips (kernels/products/panels.h): the step from one of these
  // columns to the next in the input's storage.
  std::int64_t row_step = 0;
  // Whether runs read the first input, a matrix, where Call::packed has its rows as columns in strips, or in its own storage
  // if that is nullptr.
  bool may_read_rows = false;
};

// A call whose `part` is ready becomes ready: `run` runs it. `finish` is nullptr, or as in run_and_finish.
using RunAround = Status (*)(const Call& call, ReadyCall& part, std::byte* workspace, Finish* finish);
Result<Ready> around(Result<Ready> part, RunAround run);

// Operator::compute for operators whose single calls are made ready, too: makes a call ready, and runs it.
using MakeReady = Result<Ready> (*)(const Call& call, PackedOperands* packed);
Status run_once(const Call& call, MakeReady ready);
template <MakeReady ready>
Status run_once(Call& call) {
  return run_once(call, ready);
}

}  // namespace broadloom
