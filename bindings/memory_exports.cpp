// The page, and what the heap holds.
#include "core/memory.h"
#include "frame.h"
#include "functions.h"
#include "tensors.h"

namespace broadloom {

// Makes room for `bytes` on the page; also the start of every call that brings arguments larger than the page.
double reservePage(double bytes) {
  Status status = require_memory();
  if (status) status = page().reserve(static_cast<std::size_t>(bytes));
  return finish(status);
}

// -> live tensors, bytes of tensor storage
double memoryUse() {
  FrameWriter frame;
  frame.number(owned_tensors());
  frame.number(static_cast<double>(Storage::bytes_in_use()));
  return success();
}

}  // namespace broadloom
