// Tensors: made, read, changed, freed.
#include "core/memory.h"
#include "core/number.h"
#include "core/strings.h"
#include "core/text.h"
#include "frame.h"
#include "functions.h"
#include "ops/call/dense.h"
#include "tensors.h"

namespace broadloom {

namespace {

Status check_length(Dtype dtype, const Dims& dims, std::int64_t given, std::int64_t wanted) {
  if (given == wanted) return {};
  return fail(Code::InvalidArgument, "data has {} entr{y}, but {} of dims {} has {}", given, dtype, dims.values(), wanted);
}

Result<Dims> read_tensor_dims(FrameReader& frame) {
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(dims, frame.dims());
  BROADLOOM_CHECK(checked_count(dims));
  return std::move(dims);
}

}  // namespace

// dims, length of the typed array -> tensor, uninitialised; with a length of -1, one of zeros or empty strings
double createTensor(int dtype_id, double length) {
  return finish([&]() -> Status {
    FrameReader frame;
    const auto dtype = static_cast<Dtype>(dtype_id);
    BROADLOOM_TRY(dims, read_tensor_dims(frame));
    const std::int64_t wanted = array_length(dtype, count_of(dims));
    if (length >= 0) BROADLOOM_CHECK(check_length(dtype, dims, static_cast<std::int64_t>(length), wanted));
    BROADLOOM_TRY(tensor, make_tensor(dtype, dims));
    if (length < 0) std::memset(tensor.data(), 0, tensor.storage->size());
    return own_and_write(std::move(tensor));
  }());
}

// The address of a tensor's bytes while it is being filled.
double tensorBytes(double handle) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(tensor_of(static_cast<std::uintptr_t>(handle)).data()));
}

// Checks what was copied into a tensor that create_tensor made: bool bytes, and padding. Disposes of a bad one.
double checkTensor(double handle) {
  Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
  clear_padding(tensor.dtype, tensor.count(), tensor.data());
  if (tensor.dtype != Dtype::boolean) return success();
  const Status status = check_bools(tensor.data(), tensor.count());
  if (!status) disown(static_cast<std::uintptr_t>(handle));
  return finish(status);
}

// dims, numbers -> tensor
double encodeTensor(int dtype_id) {
  return finish([&]() -> Status {
    FrameReader frame;
    const auto dtype = static_cast<Dtype>(dtype_id);
    BROADLOOM_TRY(dims, read_tensor_dims(frame));
    const std::span<const double> values = frame.numbers(frame.size());
    const std::int64_t count = count_of(dims);
    const std::int64_t wanted = info(dtype).kind == DtypeKind::complex ? 2 * count : count;
    BROADLOOM_CHECK(check_length(dtype, dims, static_cast<std::int64_t>(values.size()), wanted));
    BROADLOOM_TRY(tensor, make_tensor(dtype, dims));
    BROADLOOM_CHECK(encode(dtype, values, tensor.data()));
    return own_and_write(std::move(tensor));
  }());
}

namespace {

Result<Tensor> read_string_tensor(FrameReader& frame, const Dims& dims) {
  const std::size_t length = frame.size();
  BROADLOOM_CHECK(check_length(Dtype::string, dims, static_cast<std::int64_t>(length), count_of(dims)));
  return take_strings(frame, dims);
}

}  // namespace

// dims, strings -> tensor
double createStrings() {
  return finish([&]() -> Status {
    FrameReader frame;
    BROADLOOM_TRY(dims, read_tensor_dims(frame));
    BROADLOOM_TRY(tensor, read_string_tensor(frame, dims));
    return own_and_write(std::move(tensor));
  }());
}

// strings -> bytes that the tensor keeps now. Replaces the elements of a string tensor; other tensors that shared them keep
// theirs.
double replaceStrings(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    FrameReader frame;
    Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
    BROADLOOM_TRY(replaced, read_string_tensor(frame, Dims(tensor.run_dims())));
    tensor = std::move(replaced);
    FrameWriter().number(static_cast<double>(held_bytes(tensor)));
    return {};
  }());
}

// -> address of the string references (offset and length, 32 bits each), address of their text, bytes that the tensor keeps
double tensorStrings(double handle) {
  return finish([&]() -> Status {
    Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
    BROADLOOM_TRY(dense, densify(tensor));
    tensor = std::move(dense);
    FrameWriter frame;
    frame.pointer(tensor.data());
    frame.pointer(tensor.storage->text ? tensor.storage->text->data() : nullptr);
    frame.number(static_cast<double>(held_bytes(tensor)));
    return {};
  }());
}

// -> the strides of the layout that the tensor has now
double tensorStrides(double handle) {
  return finish([&]() -> Status {
    const Dims& strides = tensor_of(static_cast<std::uintptr_t>(handle)).layout->strides;
    BROADLOOM_TRY(frame, FrameWriter::make(strides.size() * sizeof(double)));
    for (const std::int64_t stride : strides) frame.number(stride);
    return {};
  }());
}

// -> the tensor at a place of the first axis, which there is
double tensorItem(double handle, double index) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    const Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
    const Layout& from = *tensor.layout;
    LayoutRef layout(SymbolicDims(from.dims.values().subspan(1)));
    layout.edit().strides = Dims(from.strides.values().subspan(1));
    const std::int64_t offset = tensor.offset + static_cast<std::int64_t>(index) * from.strides[0];
    Tensor item{tensor.dtype, std::move(layout), tensor.storage, offset};
    if (tensor.storage->exposed) {
      BROADLOOM_TRY(copy, copy_exposed(item));
      item = {tensor.dtype, dense_layout(item.dims()), std::move(copy)};
    }
    return own_and_write(std::move(item));
  }());
}

// -> the elements as numbers
double unpackTensor(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    const Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
    BROADLOOM_TRY(bytes, dense_bytes(Dtype::float64, tensor.count()));
    BROADLOOM_TRY(dense, densify(tensor));
    BROADLOOM_CHECK(page().reserve(static_cast<std::uint64_t>(bytes)));
    decode(dense.dtype, dense.data(), dense.count(), reinterpret_cast<double*>(page().data()));
    return {};
  }());
}

}  // namespace broadloom
