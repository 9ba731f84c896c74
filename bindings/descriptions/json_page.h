// Puts JSON text on the page (frame.h): its length in bytes, then the bytes. js/src/calls/memory.ts reads it (`takeJson`).
#pragma once

#include "core/json_writer.h"
#include "frame.h"

namespace broadloom {

using WriteJson = void(JsonWriter& to, const void* what);

// `write` is called twice: first the bytes are counted.
Status write_json(WriteJson* write, const void* what);

template <class Write>
Status write_json(const Write& write) {
  return write_json([](JsonWriter& to, const void* what) { (*static_cast<const Write*>(what))(to); }, &write);
}

}  // namespace broadloom
