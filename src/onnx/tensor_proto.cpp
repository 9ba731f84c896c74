#include "onnx/tensor_proto.h"

#include <array>
#include <cstring>
#include <optional>

#include "core/count.h"
#include "core/strings.h"
#include "core/text.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

// Field numbers of TensorProto.
constexpr std::uint32_t f_dims = 1, f_data_type = 2, f_segment = 3, f_float_data = 4, f_int32_data = 5, f_string_data = 6,
                        f_int64_data = 7, f_name = 8, f_raw_data = 9, f_double_data = 10, f_uint64_data = 11,
                        f_external_data = 13, f_data_location = 14;

struct DataField {
  std::uint32_t number;
  std::string_view name;
};
constexpr std::array<DataField, 7> data_fields{{{f_float_data, "float_data"},
                                                {f_int32_data, "int32_data"},
                                                {f_string_data, "string_data"},
                                                {f_int64_data, "int64_data"},
                                                {f_raw_data, "raw_data"},
                                                {f_double_data, "double_data"},
                                                {f_uint64_data, "uint64_data"}}};

std::string_view name_of(std::uint32_t number) {
  for (const DataField& field : data_fields) {
    if (field.number == number) return field.name;
  }
  return {};
}

// The typed field that holds elements of this type.
std::uint32_t typed_field(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
    case Dtype::complex64: return f_float_data;
    case Dtype::float64:
    case Dtype::complex128: return f_double_data;
    case Dtype::int64: return f_int64_data;
    case Dtype::uint32:
    case Dtype::uint64: return f_uint64_data;
    case Dtype::string: return f_string_data;
    default: return f_int32_data;
  }
}

// The result of the first pass: the header, and the size of each data field.
struct Header {
  std::int64_t data_type = 0;
  std::array<std::int64_t, 12> entries{};  // by field number; in bytes for raw_data
  std::string_view raw;
  const ExternalSpan* span = nullptr;  // of the raw_data
  std::string_view name;
  External external;
};

// Parses a number that ONNX writes as a string of digits.
std::int64_t read_digits(WireReader& entry, std::string_view key, std::string_view digits) {
  std::int64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9' || number > max_count / 10) {
      entry.fail("{} is {}, which is not a number of bytes", key, quoted(digits));
      return 0;
    }
    number = number * 10 + (digit - '0');
  }
  return number;
}

// Reads an entry of external_data. Ignores the checksum.
void read_external_entry(WireReader entry, ExternalData& data) {
  std::string_view key;
  std::string_view value;
  while (entry.next()) {
    if (entry.field() == 1) key = entry.name();
    if (entry.field() == 2) value = entry.name();
  }
  if (key == "location") data.location = value;
  if (key == "offset") data.offset = read_digits(entry, key, value);
  if (key == "length") data.length = read_digits(entry, key, value);
}

Header read_header(WireReader& message) {
  Header header;
  std::int64_t external_entries = 0;
  for (message.rewind(); message.next();) {
    const std::uint32_t field = message.field();
    switch (field) {
      case f_data_type: header.data_type = static_cast<std::int32_t>(message.integer()); break;
      case f_segment: message.fail("tensors in segments are not supported"); break;
      case f_float_data:
        while (message.next_fixed32()) ++header.entries[field];
        break;
      case f_double_data:
        while (message.next_fixed64()) ++header.entries[field];
        break;
      case f_int32_data:
      case f_int64_data:
      case f_uint64_data:
        while (message.next_varint()) ++header.entries[field];
        break;
      case f_string_data: ++header.entries[field]; break;
      case f_raw_data:
        header.raw = message.bytes();
        header.span = message.external_span(header.raw);
        header.entries[field] = static_cast<std::int64_t>(header.span != nullptr ? header.span->length : header.raw.size());
        break;
      case f_name: header.name = message.name(); break;
      case f_external_data: read_external_entry({message, "external_data", external_entries++}, header.external.data); break;
      case f_data_location: header.external.is_used = message.integer() == 1; break;
      default: break;
    }
  }
  return header;
}

// Whether a location is empty, names a folder, or could lead out of the model's folder. ONNX: docs/ExternalData.md.
bool leaves_folder(std::string_view location) {
  return location.empty() || location.starts_with('/') || location.starts_with('\\') || location.ends_with('/') ||
         location.find("..") != std::string_view::npos || location.find(':') != std::string_view::npos ||
         location.find('\0') != std::string_view::npos;
}

// Returns the tensor. After an error, passes the error to the message and returns an empty tensor.
Tensor unless_failed(WireReader& message, Result<Tensor> tensor) {
  if (tensor) return std::move(*tensor);
  message.fail(tensor.error());
  return {};
}

// The smallest and the largest valid entry of int32_data or uint64_data.
struct Range {
  std::int64_t low;
  std::int64_t high;
};
Range entry_range(Dtype dtype) {
  const DtypeInfo& type = info(dtype);
  if (type.kind == DtypeKind::boolean) return {0, 1};
  const int bits = is_packed(dtype) ? 8 : type.bits;
  const std::int64_t high = (std::int64_t{1} << bits) - 1;
  if (type.kind != DtypeKind::signed_integer || is_packed(dtype)) return {0, high};
  return {-(high / 2) - 1, high / 2};
}

// Reads the numbers of `field` into a new tensor. Their count must fit the dims.
Tensor read_numbers(WireReader& message, std::uint32_t field, Dtype dtype, const Dims& dims) {
  Tensor tensor = unless_failed(message, make_tensor(dtype, dims));
  if (!message.ok()) return tensor;
  const std::uint32_t typed = typed_field(dtype);
  const bool fixed32 = typed == f_float_data;
  const bool fixed64 = typed == f_double_data;
  const bool checked = typed == f_int32_data || dtype == Dtype::uint32;
  const Range range = checked ? entry_range(dtype) : Range{0, 0};
  const std::size_t size = fixed32 ? 4 : fixed64 ? 8 : is_packed(dtype) ? 1 : item_size(dtype);
  std::byte* to = tensor.data();
  for (message.rewind(); message.next();) {
    if (message.field() != field) continue;
    while (fixed32 ? message.next_fixed32() : fixed64 ? message.next_fixed64() : message.next_varint()) {
      auto entry = static_cast<std::int64_t>(message.number());
      if (typed == f_int32_data) entry = static_cast<std::int32_t>(entry);  // protobuf reads the low half of the varint
      if (checked && (entry < range.low || entry > range.high)) {
        message.fail("{} holds {}, which {} cannot hold", name_of(field), entry, dtype);
      }
      std::memcpy(to, &entry, size);
      to += size;
    }
  }
  return tensor;
}

Tensor read_raw(WireReader& message, const Header& header, Dtype dtype, const Dims& dims, External* external) {
  const std::int64_t wanted = dense_bytes(dtype, count_of(dims)).value_or(-1);
  const std::int64_t given = header.entries[f_raw_data];
  if (dtype == Dtype::string) message.fail("strings in raw_data");
  if (given != wanted) message.fail("raw_data has {} bytes, but {} of dims {} has {}", given, dtype, dims, wanted);
  if (!message.ok()) return {};
  if (const auto bytes = bytes_to_make(dtype, count_of(dims)); !bytes) {
    message.fail(bytes.error());
    return {};
  }
  if (header.span != nullptr && !header.span->bytes.has_elements()) {
    if (external == nullptr) {
      message.fail("large raw_data where none is read");
      return {};
    }
    external->is_used = true;
    external->data = {{}, header.span->origin, given};
    return {dtype, uniform_layout(dims)};
  }
  Tensor tensor = header.span != nullptr ? Tensor(dtype, dense_layout(dims), header.span->bytes.storage)
                                         : unless_failed(message, make_tensor(dtype, dims));
  if (message.ok() && header.span == nullptr) std::memcpy(tensor.data(), header.raw.data(), header.raw.size());
  if (message.ok() && dtype == Dtype::boolean) {
    if (Status status = check_bools(tensor.data(), tensor.count()); !status) message.fail(status.error());
  }
  return tensor;
}

Tensor read_typed(WireReader& message, std::uint32_t field, std::int64_t entries, Dtype dtype, const Dims& dims) {
  const std::uint32_t wanted_field = typed_field(dtype);
  if (field != wanted_field) {
    message.fail("{} elements in {}; they belong in {}", dtype, name_of(field), name_of(wanted_field));
  }
  const std::int64_t wanted = array_length(dtype, count_of(dims));
  if (entries != wanted)
    message.fail("{} has {} entr{y}, but {} of dims {} has {}", name_of(field), entries, dtype, dims, wanted);
  if (!message.ok()) return {};
  return dtype == Dtype::string ? read_strings(message, field, &dims) : read_numbers(message, field, dtype, dims);
}

// The field that holds the elements; 0 for none.
std::uint32_t data_field(WireReader& message, const Header& header) {
  std::uint32_t used = 0;
  for (const DataField& field : data_fields) {
    if (header.entries[field.number] == 0) continue;
    if (used != 0) message.fail("both {} and {} hold data", name_of(used), field.name);
    used = field.number;
  }
  return used;
}

// The number of numbers in a repeated field.
std::int64_t count_numbers(WireReader& message, std::uint32_t field, bool fixed32) {
  std::int64_t count = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != field) continue;
    while (fixed32 ? message.next_fixed32() : message.next_varint()) ++count;
  }
  return count;
}

Dims read_dims(WireReader& message, std::uint32_t field) {
  const std::int64_t rank = count_numbers(message, field, false);
  if (!message.ok()) return {};
  if (Status status = check_rank(static_cast<std::uint64_t>(rank)); !status) {
    message.fail(status.error());
    return {};
  }
  Dims dims(in_memory(rank));
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != field) continue;
    while (message.next_varint()) dims[i++] = static_cast<std::int64_t>(message.number());
  }
  return dims;
}

}  // namespace

Tensor read_integers(WireReader& message, std::uint32_t field) {
  return read_numbers(message, field, Dtype::int64, {count_numbers(message, field, false)});
}

Tensor read_floats(WireReader& message, std::uint32_t field) {
  return read_numbers(message, field, Dtype::float32, {count_numbers(message, field, true)});
}

Tensor read_strings(WireReader& message, std::uint32_t field, const Dims* dims) {
  std::int64_t bytes = 0;
  std::int64_t count = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != field) continue;
    bytes += static_cast<std::int64_t>(message.bytes().size());
    ++count;
  }
  if (!message.ok()) return {};
  Result<StringWriter> writer = StringWriter::make(dims != nullptr ? *dims : Dims{count}, bytes);
  if (!writer) {
    message.fail(writer.error());
    return {};
  }
  for (message.rewind(); message.next();) {
    if (message.field() != field) continue;
    if (Status status = writer->add(message.bytes()); !status) message.fail(status.error());
  }
  return writer->finish();
}

Tensor read_tensor_proto(WireReader& message, std::string_view* name, External* external, std::string_view* field_name) {
  const Header header = read_header(message);
  const Dims dims = read_dims(message, f_dims);
  const std::uint32_t field = data_field(message, header);
  if (name != nullptr) *name = header.name;
  if (field_name != nullptr) *field_name = name_of(field);
  const std::optional<Dtype> dtype = dtype_from_id(header.data_type);
  if (!dtype) message.fail("data_type is {}, which is not an element type", header.data_type);
  if (!message.ok()) return {};  // another error would replace the first one
  const Result<std::int64_t> count = checked_count(dims);
  if (!count) message.fail(count.error());
  if (header.external.is_used) {
    const std::string_view location = header.external.data.location;
    if (leaves_folder(location) && (external == nullptr || external->is_read)) {
      message.fail("external data at location {}, which is not a file beside the model", quoted(location));
    } else if (external == nullptr) {
      message.fail("external data in file {}: loadModel takes the option external for initializers alone, not for sparse ones",
                   quoted(location));
    } else if (*dtype == Dtype::string) {
      message.fail("external data of strings");
    }
    if (external == nullptr || !message.ok()) return {};
    external->is_used = true;
    external->data = header.external.data;
    return {*dtype, uniform_layout(dims)};
  }
  if (message.ok() && field == 0 && *count != 0) message.fail("no data for the {} element{s} of dims {}", *count, dims);
  if (!message.ok()) return {};
  Tensor tensor = field == f_raw_data
                      ? read_raw(message, header, *dtype, dims, external)
                      : read_typed(message, field == 0 ? typed_field(*dtype) : field, header.entries[field], *dtype, dims);
  if (message.ok() && tensor.has_elements()) clear_padding(tensor.dtype, tensor.count(), tensor.data());
  return tensor;
}

SparseTensor read_sparse_tensor_proto(WireReader& message, std::string_view* name) {
  SparseTensor sparse;
  sparse.dims = read_dims(message, 3);
  for (message.rewind(); message.next();) {
    if (message.field() == 1 && sparse.values.dtype == Dtype::undefined) {
      WireReader values(message, "values");
      sparse.values = read_tensor_proto(values, name);
    } else if (message.field() == 2 && sparse.indices.dtype == Dtype::undefined) {
      WireReader indices(message, "indices");
      sparse.indices = read_tensor_proto(indices);
    }
  }
  if (sparse.values.dtype == Dtype::undefined) message.fail("values are missing");
  return sparse;
}

namespace {

// Fails for bytes other than 0 and 1 in a bool tensor, and clears padding bits: JavaScript may have written either.
void write_elements(WireWriter& to, const Tensor& dense) {
  const Dtype dtype = dense.dtype;
  auto bytes = static_cast<std::int64_t>(dense_size(dense));
  if (dtype == Dtype::boolean) {
    if (Status status = check_bools(dense.data(), bytes); !status) to.fail(status.error());
  }
  if (is_packed(dtype) && bytes > 0) {
    std::byte last = dense.data()[--bytes];
    clear_padding(dtype, dense.count() % (8 / info(dtype).bits), &last);
    to.bytes(&last, 1);
  }
  to.bytes(dense.data(), bytes);
}

}  // namespace

void write_tensor_proto(WireWriter& to, const Tensor& tensor, const ValueName& name) {
  const bool is_string = tensor.dtype == Dtype::string;
  // Counting needs only the lengths of strings, and no elements of other types.
  const Result<Tensor> dense = to.is_counting() && !is_string ? tensor : densify(tensor);
  if (!dense) return to.fail(dense.error());
  if (!is_string) {
    const std::int64_t end = to.size();
    if (to.is_counting()) {
      to.bytes(nullptr, dense_bytes(tensor.dtype, tensor.count()).value_or(0));
    } else {
      write_elements(to, *dense);
    }
    to.message(f_raw_data, end);
  }
  if (!name.name.empty()) to.name(f_name, name);
  const auto* strings = reinterpret_cast<const StringRef*>(dense->data());
  for (std::int64_t i = is_string ? tensor.count() : 0; i-- > 0;) to.name(f_string_data, {string_at(*dense, strings[i])});
  to.number(f_data_type, static_cast<std::int64_t>(tensor.dtype));
  write_numbers(to, f_dims, tensor.run_dims());
}

void write_numbers(WireWriter& to, std::uint32_t field, std::span<const std::int64_t> numbers) {
  for (std::size_t i = numbers.size(); i-- > 0;) to.number(field, numbers[i]);
}

Result<Tensor> write_tensor_proto(const Tensor& tensor, const ValueName& name) {
  return write_file([&](WireWriter& to) { write_tensor_proto(to, tensor, name); });
}

}  // namespace broadloom
