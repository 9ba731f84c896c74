#include "ops/product/integer_product.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/products/rescale.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/dims/product.h"
#include "ops/product/products.h"

namespace broadloom {
namespace {

// Whether all sizes are 1, or may be.
bool may_be_one(const SymbolicDims& dims) {
  return std::none_of(dims.begin(), dims.end(), [](Size size) { return differ(size, 1); });
}

Status unfit(const Call& call, std::size_t input, const Tensor& operand) {
  return impossible("{} has dims {}, which are not for an operand of dims {}", quoted(call.version.inputs()[input].name),
                    call.inputs[input]->dims().values(), operand.dims().values());
}

// Checks a zero point or scale.
Status check_parameter(const Call& call, std::size_t input, const Tensor& operand, bool is_second) {
  const Tensor* parameter = call.input(input);
  if (parameter == nullptr || !parameter->is_ranked() || may_be_one(parameter->dims()) || !operand.is_ranked()) return {};
  const SymbolicDims& own = parameter->dims();
  const SymbolicDims& dims = operand.dims();
  const std::size_t rank = dims.size();
  if (rank < 2 || (own.size() != 1 && own.size() != rank)) return unfit(call, input, operand);
  if (own.size() == 1) {
    const Size kept = dims[rank - (is_second ? 1 : 2)];
    return differ(own[0], kept) ? unfit(call, input, operand) : Status();
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (differ(own[i], i == summed_axis(rank, is_second) ? Size(1) : dims[i])) return unfit(call, input, operand);
  }
  return {};
}

// Where the matrices of an operand's batch lie, and their numbers.
class BatchOf {
 public:
  BatchOf() = default;
  BatchOf(const Layout& layout, std::size_t own, const SymbolicDims& dims)
      : data_(broadcast_to(axes_of(layout, 0, own), dims)),
        number_(broadcast_to(dense_layout(axes_of(layout, 0, own).dims), dims)) {}

  struct Place {
    std::ptrdiff_t offset;
    std::size_t number;
  };
  Place at(std::size_t index) const {
    std::int64_t offset = 0;
    std::int64_t number = 0;
    for (std::size_t axis = data_->dims.size(); axis-- > 0;) {
      const auto size = in_memory(data_->dims[axis].number());
      const auto place = static_cast<std::int64_t>(index % size);
      index /= size;
      offset += place * data_->strides[axis];
      number += place * number_->strides[axis];
    }
    return {static_cast<std::ptrdiff_t>(offset), in_memory(number)};
  }

 private:
  LayoutRef data_;
  LayoutRef number_;
};

// Adds the rows of an int32 matrix from `row` on to `count` rows of sums. Sums wrap around.
void add_to_sums(std::byte* sums, const Tensor& added, std::size_t row, std::size_t count, std::size_t columns) {
  const std::span<const std::int64_t> strides = added.layout->strides.values();
  const auto step = static_cast<std::ptrdiff_t>(strides[1]);
  auto* to = reinterpret_cast<std::uint32_t*>(sums);
  for (std::size_t k = row; k < row + count; ++k, to += columns) {
    const auto* const from =
        reinterpret_cast<const std::uint32_t*>(added.data()) + times(k, static_cast<std::ptrdiff_t>(strides[0]));
    for (std::size_t i = 0; i < columns; ++i) to[i] += from[times(i, step)];
  }
}

class ReadyIntegerProduct : public ReadyCall {
 public:
  ReadyIntegerProduct(const Call& call, const ProductInputs& at);

  // The second operand is constant: runs get it packed.
  Result<Ready> pack(const Call& call, PackedOperands* packed);

  Count workspace_bytes() const override {
    return bytes_of_b_ + product_.workspace_bytes() + bytes_of_block_ + bytes_of_column_numbers() * 3;
  }
  Status run(const Call& call, std::byte* workspace) override;

 private:
  // A number for each column, and one more vector of numbers.
  Count bytes_of_column_numbers() const { return whole_vectors(Count(product_.columns) * 4) + vector_bytes; }
  Matrix matrix_of(const Tensor& tensor, std::ptrdiff_t offset, bool is_second) const {
    return {tensor.data() + offset, is_second ? columns_step_ : rows_step_, is_second ? b_summed_step_ : a_summed_step_};
  }

  ProductInputs at_;
  PairProduct product_{};
  std::size_t batches_ = 1;
  BatchOf a_batch_;
  BatchOf b_batch_;
  std::ptrdiff_t rows_step_ = 0;
  std::ptrdiff_t a_summed_step_ = 0;
  std::ptrdiff_t columns_step_ = 0;
  std::ptrdiff_t b_summed_step_ = 0;
  Count bytes_of_b_;
  Count bytes_of_block_;
};

bool has_one(const Call& call, std::size_t input) { return call.input(input) == nullptr || call.input(input)->count() == 1; }

ReadyIntegerProduct::ReadyIntegerProduct(const Call& call, const ProductInputs& at) : at_(at) {
  const Layout& a = call.inputs[at.a]->layout;
  const Layout& b = call.inputs[at.b]->layout;
  const std::size_t rank_a = a.dims.size();
  const std::size_t rank_b = b.dims.size();
  std::size_t batch_a = batch_rank(rank_a);
  const std::size_t batch_b = batch_rank_of_second(b);
  // With one matrix on the right, a batch counts as rows, where these lie evenly.
  Layout kept = axes_of(a, batch_a, rank_a - batch_a - 1);
  if (batch_b == 0 && has_one(call, at.others[ProductInputs::a_zero]) && has_one(call, at.others[ProductInputs::a_scale])) {
    const Layout all = axes_of(a, 0, rank_a - 1);
    if (merge_axes(all).rank <= 1) {
      batch_a = 0;
      kept = all;
    }
  }
  const MergedAxes rows = merge_axes(kept);
  if (rows.rank > 0) rows_step_ = static_cast<std::ptrdiff_t>(rows.axes[0].stride);
  a_summed_step_ = static_cast<std::ptrdiff_t>(a.strides[rank_a - 1]);
  b_summed_step_ = static_cast<std::ptrdiff_t>(b.strides[summed_axis(rank_b, true)]);
  if (rank_b > 1) columns_step_ = static_cast<std::ptrdiff_t>(b.strides[rank_b - 1]);
  const std::int64_t columns = rank_b > 1 ? b.run_dims()[rank_b - 1] : 1;
  const std::int64_t sums = a.run_dims()[rank_a - 1];
  const auto size = [](std::int64_t number) { return in_memory(number); };
  product_ = {size(kept.count()), size(columns), size(sums)};
  const std::size_t axes_of_batch = batch_a + batch_b == 0 ? 0 : std::max(batch_a, batch_rank(rank_b));
  const SymbolicDims batch(call.outputs[0].dims().values().first(axes_of_batch));
  batches_ = size(count_of(batch.values()));
  a_batch_ = {a, batch_a, batch};
  b_batch_ = {b, batch_b, batch};
  bytes_of_b_ = product_.packed_bytes();
  const bool has_block = call.outputs[0].dtype != Dtype::int32;
  if (has_block) bytes_of_block_ = whole_vectors(Count(product_.block_rows()) * product_.columns * 4);
}

Result<Ready> ReadyIntegerProduct::pack(const Call& call, PackedOperands* packed) {
  const Tensor& b = *call.inputs[at_.b];
  if (packed == nullptr || !b.has_elements() || batch_rank_of_second(b.layout) > 0) return Ready();
  const auto size = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  const Dims form{size(product_.columns), columns_step_, size(product_.sums), b_summed_step_};
  const Tensor* const constants[] = {&b};
  BROADLOOM_TRY(columns, packed->pack(PackedOperands::Kind::pairs, constants, form, bytes_of_b_, [&](std::byte* to) {
    product_.pack(to, matrix_of(b, 0, true), b.dtype);
    return Status();
  }));
  bytes_of_b_ = {};
  const auto axis = [&](std::size_t extent, std::ptrdiff_t step) {
    return Axis{size(extent), extent == 1 ? 0 : static_cast<std::int64_t>(step)};
  };
  return Ready{columns, nullptr,
               pairs_substitute(columns, b, axis(product_.columns, columns_step_), axis(product_.sums, b_summed_step_)), at_.b};
}

Status ReadyIntegerProduct::run(const Call& call, std::byte* workspace) {
  if (batches_ == 0 || product_.rows == 0 || product_.columns == 0) return {};
  const Tensor& a = *call.inputs[at_.a];
  const Tensor& b = *call.inputs[at_.b];
  const Tensor& y = call.outputs[0];
  const std::size_t columns = product_.columns;
  ProductParameters parameters;
  BROADLOOM_CHECK(parameters.read(call, at_));
  BROADLOOM_TRY(bias, parameter_in(call, at_.others[ProductInputs::bias]));
  Tensor added;
  if (call.input(at_.added) != nullptr) {
    added = *call.inputs[at_.added];
    added.layout = broadcast_to(added.layout, y.dims());
  }
  const float alpha = find_spec(call.version, "alpha") != nullptr ? call.number("alpha") : 1;
  const auto take = [&](Count bytes) {
    std::byte* const part = workspace;
    workspace += in_memory(bytes);
    return part;
  };
  std::byte* const packed_here = take(bytes_of_b_);
  std::byte* const block = take(bytes_of_block_);
  auto* const zeros = reinterpret_cast<std::int32_t*>(take(bytes_of_column_numbers()));
  auto* const scales = reinterpret_cast<float*>(take(bytes_of_column_numbers()));
  auto* const biases = reinterpret_cast<float*>(take(bytes_of_column_numbers()));
  if (bias.has_elements()) std::memcpy(biases, bias.data(), columns * sizeof(float));
  const bool is_half = y.dtype == Dtype::float16;
  const Rescaling rescaling{is_half ? Dtype::float32 : y.dtype, scales, bias.has_elements() ? biases : nullptr,
                            parameters.get(ProductInputs::y_zero, 0, 0, 1, 0)};
  std::byte* to = y.data();
  const std::size_t row_bytes = columns * item_size(y.dtype);
  const std::byte* last = nullptr;
  for (std::size_t i = 0; i < batches_; ++i) {
    const BatchOf::Place place_a = a_batch_.at(i);
    const BatchOf::Place place_b = b_batch_.at(i);
    const Matrix matrix = matrix_of(b, place_b.offset, true);
    if (bytes_of_b_ > 0 && (i == 0 || matrix.from != last)) product_.pack(packed_here, matrix, b.dtype);
    last = matrix.from;
    const bool has_zeros = parameters.write_zeros(zeros, columns, place_b.number, b.dtype);
    const auto of_row = [&](std::size_t which, std::size_t row, float otherwise) {
      return parameters.get(which, row, place_a.number, product_.rows, otherwise);
    };
    const auto set_scales = [&](std::size_t row) {
      parameters.write_scales(scales, columns, place_b.number, alpha * of_row(ProductInputs::a_scale, row, 1));
    };
    if (bytes_of_block_ > 0) set_scales(0);
    const std::byte* const panels = bytes_of_b_ > 0 ? packed_here : call.packed;
    const std::size_t step = product_.block_rows();
    for (std::size_t row = 0; row < product_.rows; row += step) {
      const std::size_t count = std::min(step, product_.rows - row);
      BROADLOOM_CHECK(Watch::check(steps_of_products(count, columns, product_.sums)));
      std::byte* const sums = bytes_of_block_ > 0 ? block : to;
      std::int32_t row_zeros[PairProduct::most_rows];
      for (std::size_t k = 0; k < count; ++k)
        row_zeros[k] = static_cast<std::int32_t>(of_row(ProductInputs::a_zero, row + k, 0));
      product_.run(sums, matrix_of(a, place_a.offset, false).at(row, 0), a.dtype, panels,
                   {row_zeros, has_zeros ? zeros : nullptr}, count, workspace);
      if (added.has_elements()) add_to_sums(sums, added, row, count, columns);
      std::byte* const result = is_half ? block : to;
      // Rows of one scale at a time.
      const std::size_t some = bytes_of_block_ == 0 ? count : parameters.is_single(ProductInputs::a_scale) ? count : 1;
      for (std::size_t k = 0; bytes_of_block_ > 0 && k < count; k += some) {
        if (some < count) set_scales(row + k);
        rescaling.run(result + k * columns * item_size(rescaling.to), sums + k * columns * 4, some, columns);
      }
      if (is_half) convert(to, y.dtype, block, Dtype::float32, count * columns);
      to += count * row_bytes;
    }
  }
  return {};
}

// A dense matrix as packed pairs.
class PackedPairs : public Storage::Substitute {
 public:
  PackedPairs(StorageRef packed, Dtype dtype, const Axis& kept, const Axis& summed)
      : packed_(std::move(packed)),
        product_{0, in_memory(kept.extent), in_memory(summed.extent)},
        dtype_(dtype),
        has_columns_(summed.stride == 1) {}
  void write(std::byte* to) const override {
    const std::size_t column_step = has_columns_ ? product_.sums : 1;
    product_.unpack(to, column_step, has_columns_ ? 1 : product_.columns, packed_->data(), dtype_);
  }

 private:
  StorageRef packed_;
  PairProduct product_;
  Dtype dtype_;
  bool has_columns_;
};

}  // namespace

std::unique_ptr<Storage::Substitute> pairs_substitute(const StorageRef& packed, const Tensor& constant, const Axis& kept,
                                                      const Axis& summed) {
  if (!is_all(constant, kept, summed)) return nullptr;
  return std::make_unique<PackedPairs>(packed, constant.dtype, kept, summed);
}

Status check_length_or_one(const Call& call, std::size_t input, Size length) {
  const Tensor* parameter = call.input(input);
  if (parameter == nullptr || !parameter->is_ranked() || may_be_one(parameter->dims())) return {};
  return check_length(call, input, length);
}

Result<Tensor> parameter_in(const Call& call, std::size_t input) {
  const Tensor* parameter = call.input(input);
  return parameter == nullptr ? Tensor() : in_type(*parameter, Dtype::float32);
}

Status ProductParameters::read(const Call& call, const ProductInputs& at) {
  for (std::size_t i = 0; i < std::size(values_); ++i) {
    BROADLOOM_TRY(value, parameter_in(call, at.others[i]));
    values_[i] = std::move(value);
  }
  return {};
}

ProductParameters::Numbers ProductParameters::of(std::size_t which, std::size_t matrix, std::size_t kept,
                                                 const float& otherwise) const {
  if (!has(which)) return {&otherwise, 0};
  const auto* first = reinterpret_cast<const float*>(values_[which].data());
  const auto count = in_memory(values_[which].count());
  return {count > kept ? first + matrix * kept : first, count == 1 ? 0U : 1U};
}

float ProductParameters::get(std::size_t which, std::size_t index, std::size_t matrix, std::size_t kept,
                             float otherwise) const {
  return of(which, matrix, kept, otherwise)[index];
}

bool ProductParameters::write_zeros(std::int32_t* to, std::size_t columns, std::size_t matrix, Dtype dtype) const {
  constexpr float zero = 0;
  const Numbers zeros = of(ProductInputs::b_zero, matrix, columns, zero);
  for (std::size_t i = 0; i < columns; ++i) to[i] = static_cast<std::int32_t>(zeros[i]) - offset_of(dtype);
  return are_any(to, columns);
}

void ProductParameters::write_scales(float* to, std::size_t columns, std::size_t matrix, float row_scale) const {
  constexpr float one = 1;
  const Numbers scales = of(ProductInputs::b_scale, matrix, columns, one);
  const float divisor = get(ProductInputs::y_scale, 0, 0, 1, 1);
  for (std::size_t i = 0; i < columns; ++i) to[i] = row_scale * scales[i] / divisor;
}

Status prepare_integer_product(Call& call, const ProductInputs& at) {
  const Tensor& a = *call.inputs[at.a];
  const Tensor& b = *call.inputs[at.b];
  for (std::size_t i = 0; i < ProductInputs::bias; ++i) {
    const std::size_t input = at.others[i];
    const bool is_of_b = i == ProductInputs::b_zero || i == ProductInputs::b_scale;
    BROADLOOM_CHECK(i < ProductInputs::y_scale ? check_parameter(call, input, is_of_b ? b : a, is_of_b)
                                               : check_length_or_one(call, input, 1));
  }
  const std::size_t rank = b.is_ranked() ? b.dims().size() : 0;
  BROADLOOM_CHECK(check_length(call, at.others[ProductInputs::bias],
                               rank == 0   ? unknown_size
                               : rank == 1 ? Size(1)
                                           : b.dims()[rank - 1]));
  if (!a.is_ranked() || !b.is_ranked()) return {};
  BROADLOOM_TRY(dims, product_dims(a.dims().values(), b.dims().values()));
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

Result<Ready> ready_integer_product(const Call& call, const ProductInputs& at, PackedOperands* packed) {
  auto product = std::make_unique<ReadyIntegerProduct>(call, at);
  BROADLOOM_TRY(made, product->pack(call, packed));
  made.call = std::move(product);
  return std::move(made);
}

}  // namespace broadloom
