// The heap: allocations that may fail, and a reserve that keeps small ones from failing.
//
// The core is built without exceptions, where an `operator new` that finds no memory ends the program. So everything
// whose size a user chooses is allocated here and may fail, and small bookkeeping (a tensor's record, a name, an error
// text) may use `new`: when the heap is full, a reserve set aside beforehand is handed over to it. Every public entry
// calls `require_memory` first, which refuses new work until the reserve is whole again.
#pragma once

#include <cstddef>

#include "core/status.h"

namespace broadloom {

// `bytes` of memory, uninitialised, or nullptr. Alignment is that of malloc.
void* allocate(std::size_t bytes);
void release(void* memory);

// Fails with OutOfMemory unless the reserve is in place and, with it, bookkeeping for `count` things of `bytes_each`
// could be allocated.
Status require_memory(std::size_t count = 0, std::size_t bytes_each = 1);

// The error of an allocation that did not fit.
Error out_of_memory(double bytes);

}  // namespace broadloom
