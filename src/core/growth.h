// Growth of the wasm memory ahead of what is needed.
#pragma once

namespace broadloom {

// Lets the memory grow by a quarter more if it has grown since the last call (core/memory.h). Bookkeeping calls it for each
// block of an arena. Without it, the memory would grow by 64 KiB each time, and every growth can make JavaScript's engine
// collect garbage.
void grow_ahead();

}  // namespace broadloom
