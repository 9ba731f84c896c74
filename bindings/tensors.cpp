#include "tensors.h"

#include "core/limits.h"
#include "core/memory.h"
#include "core/strings.h"
#include "core/text.h"
#include "functions.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

std::int64_t owned = 0;

Pool places;

}  // namespace

std::uintptr_t own(Tensor&& tensor) {
  ++owned;
  release_excess(tensor);
  return reinterpret_cast<std::uintptr_t>(new (places.take_or_new(sizeof(Tensor))) Tensor(std::move(tensor)));
}

void disown(std::uintptr_t handle) {
  --owned;
  Tensor& tensor = tensor_of(handle);
  tensor.~Tensor();
  places.give_or_delete(&tensor);
}

std::int64_t owned_tensors() { return owned; }

Result<Tensor> take_strings(FrameReader& frame, const Dims& dims) {
  FrameReader ahead = frame;
  std::int64_t bytes = 0;
  const std::int64_t count = count_of(dims);
  for (std::int64_t i = 0; i < count; ++i) bytes += static_cast<std::int64_t>(ahead.string().size());
  BROADLOOM_TRY(writer, StringWriter::make(dims, bytes));
  for (std::int64_t i = 0; i < count; ++i) BROADLOOM_CHECK(writer.add(frame.string()));
  return writer.finish();
}

Result<FrameWriter> frame_for(std::span<const Tensor> tensors) {
  std::size_t words = 2;
  for (const Tensor& tensor : tensors) words += 4 + tensor.dims().size();
  return FrameWriter::make(words * sizeof(double));
}

std::uintptr_t own_and_write(FrameWriter& frame, Tensor&& tensor) {
  const std::uintptr_t handle = own(std::move(tensor));
  const Tensor& owned_tensor = tensor_of(handle);
  frame.number(static_cast<double>(handle));
  frame.number(static_cast<double>(owned_tensor.dtype));
  frame.number(static_cast<double>(held_bytes(owned_tensor)));
  frame.number(static_cast<double>(owned_tensor.dims().size()));
  for (const std::int64_t dim : owned_tensor.run_dims()) frame.number(dim);
  return handle;
}

Status write_tensors(std::span<Tensor> tensors) {
  BROADLOOM_TRY(frame, frame_for(tensors));
  frame.number(static_cast<double>(tensors.size()));
  for (Tensor& tensor : tensors) own_and_write(frame, std::move(tensor));
  return {};
}

Status own_and_write(Tensor tensor) { return write_tensors({&tensor, 1}); }

namespace {

double page_address() { return static_cast<double>(reinterpret_cast<std::uintptr_t>(page().data())); }

}  // namespace

double success() {
  Watch::start();
  return page_address();
}

double failure(const Error& error) {
  if (error->code == Code::OutOfMemory) {
    error->message.append("; tensors alive: {}, bytes in use: {}; dispose() and scope() free them", owned,
                          static_cast<double>(Storage::bytes_in_use()));
  }
  FrameWriter frame;
  frame.number(static_cast<double>(error->code));
  frame.number(error->opset);
  frame.string(error->op.view());
  frame.string(error->node.view());
  frame.string(error->limit);
  frame.string(error->message.view());
  Watch::start();
  return -page_address();
}

double finish(const char* name, const Status& status) {
  if (!status) status.error()->message.prepend("{}: ", name);
  return finish(status);
}

double finish_part(const char* name, const Status& status) { return status ? page_address() : finish(name, status); }

// The address of a tensor's dense bytes, for a writable view; negative for an error.
double tensorData(double handle) {
  Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
  const Status status = expose(tensor);
  if (!status) return failure(status.error());
  Watch::start();
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(tensor.data()));
}

void disposeTensor(double handle) { disown(static_cast<std::uintptr_t>(handle)); }

}  // namespace broadloom
