// The page, and what the heap holds.
#include "core/limits.h"
#include "core/memory.h"
#include "frame.h"
#include "functions.h"
#include "graph/run/plans.h"
#include "tensors.h"

namespace broadloom {

// Makes room for `bytes` on the page; also the start of every call that brings arguments larger than the page.
double reservePage(double bytes) {
  Status status = require_memory();
  if (status) status = page().reserve(static_cast<std::size_t>(bytes));
  return finish(status);
}

// -> live tensors, bytes of tensor storage, those of them that are blocks of plans
double memoryUse() {
  FrameWriter frame;
  frame.number(owned_tensors());
  frame.number(static_cast<double>(Storage::bytes_in_use()));
  frame.number(static_cast<double>(Plans::block_bytes()));
  return success();
}

// number of limits, then name and value of each. Called once, when the runtime starts.
double setLimits() {
  Watch::set_clock(hostMilliseconds);
  return finish("load", [&]() -> Status {
    FrameReader frame;
    for (std::size_t count = frame.size(); count > 0; --count) {
      const std::string_view name = frame.string();
      BROADLOOM_CHECK(set_limit(name, frame.number()));
    }
    return {};
  }());
}

}  // namespace broadloom
