// Tensors that JavaScript owns, by handle.
#pragma once

#include <cstdint>

#include "core/tensor.h"
#include "frame.h"

namespace broadloom {

// Gives a tensor to JavaScript, without more storage than it needs (release_excess), and takes it back.
std::uintptr_t own(Tensor&& tensor);
void disown(std::uintptr_t handle);

// A tensor that JavaScript owns. The wrapper never passes a handle after it was disowned.
inline Tensor& tensor_of(std::uintptr_t handle) { return *reinterpret_cast<Tensor*>(handle); }

// Number of tensors that JavaScript owns.
std::int64_t owned_tensors();

// Bytes that a tensor keeps alive. Those that it shares count whole.
inline std::size_t held_bytes(const Tensor& tensor) {
  const Storage& storage = *tensor.storage;
  return storage.size() + (storage.text ? storage.text->size() : 0);
}

// Reads count_of(dims) strings from the frame.
[[gnu::cold]] Result<Tensor> take_strings(FrameReader& frame, const Dims& dims);

// Writes the tensors to the page and owns them: their number, then for each its handle, type, the bytes that it keeps
// alive, and dims.
Status write_tensors(std::span<Tensor> tensors);
// A frame for these tensors and two numbers. Each is owned and written; its handle is returned.
Result<FrameWriter> frame_for(std::span<const Tensor> tensors);
std::uintptr_t own_and_write(FrameWriter& frame, Tensor&& tensor);
// Writes one tensor to the page and owns it, as write_tensors does.
Status own_and_write(Tensor tensor);

// The return value of a call from JavaScript: the address of the page that holds the result, or, for an error, its negative.
double success();
[[gnu::cold]] double failure(const Error& error);
inline double finish(const Status& status) { return status ? success() : failure(status.error()); }
// The return value of a call of the method `name`, which stands before the text of an error.
double finish(const char* name, const Status& status);
// The return value of a part of a call that more parts follow: the time of the call goes on, unless it has failed.
double finish_part(const char* name, const Status& status);

}  // namespace broadloom
