#include "ops/product/quantised_product.h"

#include <algorithm>
#include <limits>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/movement/block_reader.h"
#include "kernels/movement/strided.h"
#include "kernels/products/settle.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/dims/product.h"
#include "ops/product/integer_product.h"
#include "ops/product/products.h"
#include "ops/shape/transpose.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum Option;
using enum TypeVariable;
namespace at = quantised_product_inputs;

constexpr AttributeSpec attributes[] = {with_default("transB", AttributeType::INT, 0)};
constexpr Parameter inputs[] = {
    {"a", T1},       {"b", T2},       {"divisor", T1},          {"least", T1},         {"greatest", T1}, {"factor", T1},
    {"a_scale", T1}, {"b_scale", T1}, {"b_zero", T2, Optional}, {"bias", T1, Optional}};
constexpr Parameter outputs[] = {{"y", T1}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::float32, types::float32 | types::bytes}}};

// The second operand, transposed if the call asks for it.
Tensor second_of(const Call& call) {
  Tensor b = *call.inputs[at::b];
  constexpr std::int64_t order[] = {1, 0};
  if (b.is_ranked() && call.integer("transB") != 0) b.layout = transposed_layout(b.layout, order);
  return b;
}

Status prepare(Call& call) {
  const Tensor& a = *call.inputs[at::a];
  const Tensor b = second_of(call);
  if (!a.is_ranked() || !b.is_ranked()) return {};
  BROADLOOM_TRY(dims, product_dims(a.dims().values(), b.dims().values()));
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

// Copies items of float32 that lie `step` bytes apart.
void copy_items(std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t count) {
  const Layout layout{SymbolicDims{static_cast<std::int64_t>(count)},
                      Dims{static_cast<std::int64_t>(step / static_cast<std::ptrdiff_t>(sizeof(float)))}};
  materialize(to, from, layout, sizeof(float));
}

std::ptrdiff_t step_of(const Layout& axes, std::size_t item_size) {
  return axes.dims.empty() ? 0 : static_cast<std::ptrdiff_t>(axes.strides[0]) * static_cast<std::ptrdiff_t>(item_size);
}

class ReadyQuantisedProduct : public ReadyCall {
 public:
  ReadyQuantisedProduct(const Call& call, const Tensor& b);

  // The second operand is constant: runs get it packed.
  Result<Ready> pack(const Call& call, const Tensor& b, PackedOperands* packed);

  bool can_finish() const override { return true; }
  Count workspace_bytes() const override {
    return column_bytes() * column_lists + widened_bytes() * product_.block_rows() + copied_bytes() + open_bytes() +
           again_bytes() + packed_bytes_ + bytes_of_b_;
  }
  Status run(const Call& call, std::byte* workspace) override { return run_and_finish(call, workspace, nullptr); }
  Status run_and_finish(const Call& call, std::byte* workspace, Finish* finish) override;

 private:
  enum : std::size_t { zeros, scales, quotients, added, bounds, slacks, biases, firsts };
  static constexpr std::size_t column_lists = firsts + 1;
  // How many rows are settled before those that are open are summed again: panels become float32 once for all of them.
  static constexpr std::size_t most_settled_rows = 128;
  struct Columns;

  Count column_bytes() const { return (Count(product_.columns) + pair_panel_columns) * sizeof(float) / 16 * 16; }
  Count row_bytes() const { return whole_vectors(Count(product_.sums) * sizeof(float)); }
  Count widened_bytes() const { return whole_vectors(Count(product_.sums + 1) * sizeof(std::int16_t)); }
  std::size_t settled_rows() const { return std::min(product_.rows, most_settled_rows); }
  bool has_rows_in_place() const { return a_step_ == static_cast<std::ptrdiff_t>(sizeof(float)) || product_.sums <= 1; }
  Count copied_bytes() const { return has_rows_in_place() ? Count() : row_bytes() * settled_rows(); }
  // Where the open results of a row may have no room, all are summed again first.
  Count open_entries() const { return Count(product_.columns) * (1 + settled_rows() / 16); }
  Count open_bytes() const { return whole_vectors(open_entries() * sizeof(OpenResults::Entry)); }
  Count again_bytes() const { return Settling::workspace_bytes(product_.sums); }
  bool is_in_bytes() const { return b_item_ == 1; }
  // The size of packed columns: panels, and the norms of their columns.
  Count bytes_of_packed() const { return product_.packed_bytes() + column_bytes(); }
  void write_packed(std::byte* to, const Matrix& b, Dtype dtype, const std::int32_t* its_zeros) const;
  void narrow(std::byte* to, const std::byte* from, float inverse, float shift) const;
  Status read_columns(const Call& call, Columns& columns) const;
  void set_bounds(const Columns& columns) const;
  Status write_rows(Columns& columns, Walker& rows, std::byte* to) const;

  PairProduct product_{};
  std::size_t batches_ = 1;
  std::size_t b_item_ = 1;
  MergedAxes a_batch_;
  MergedAxes a_rows_;
  MergedAxes b_batch_;
  std::ptrdiff_t a_step_ = 0;
  std::ptrdiff_t b_kept_step_ = 0;
  std::ptrdiff_t b_summed_step_ = 0;
  bool is_packed_ = false;
  Count packed_bytes_;
  Count bytes_of_b_;
};

// Lists of a number for each column, with room for whole panels, and other parts of a run's memory.
struct ReadyQuantisedProduct::Columns {
  std::byte* lists;
  std::size_t bytes;
  std::byte* widened;
  std::byte* copied;
  std::byte* again;
  float inverse_of_a = 1;
  bool has_zeros = false;
  bool has_bias = false;
  Settling settling{};
  GridColumns grid{};
  OpenResults open{};

  template <class T = float>
  T* list(std::size_t which) const {
    return reinterpret_cast<T*>(lists + which * bytes);
  }
};

ReadyQuantisedProduct::ReadyQuantisedProduct(const Call& call, const Tensor& b) {
  const Factors factors = factors_of_product(*call.inputs[at::a], b, call.outputs[0].dims());
  b_item_ = item_size(b.dtype);
  const auto size = [](const Layout& layout) { return in_memory(layout.count()); };
  product_ = {size(factors.a.kept), size(factors.b.kept), size(factors.a.summed)};
  batches_ = size(factors.a.batch);
  a_batch_ = merge_axes(factors.a.batch);
  a_rows_ = merge_axes(factors.a.kept);
  b_batch_ = merge_axes(factors.b.batch);
  a_step_ = step_of(factors.a.summed, sizeof(float));
  b_kept_step_ = step_of(factors.b.kept, b_item_);
  b_summed_step_ = step_of(factors.b.summed, b_item_);
  packed_bytes_ = bytes_of_packed();
  if (!is_in_bytes()) bytes_of_b_ = whole_vectors(Count(product_.columns) * product_.sums) + row_bytes() + column_bytes();
}

void ReadyQuantisedProduct::write_packed(std::byte* to, const Matrix& b, Dtype dtype, const std::int32_t* its_zeros) const {
  product_.pack(to, b, dtype);
  auto* const its_norms = reinterpret_cast<float*>(to + in_memory(product_.packed_bytes()));
  write_rounding_norms(its_norms, to, its_zeros, product_.columns, product_.sums);
}

Result<Ready> ReadyQuantisedProduct::pack(const Call& call, const Tensor& b, PackedOperands* packed) {
  if (packed == nullptr || !b.has_elements() || !is_in_bytes() || product_.columns == 0) return Ready();
  const auto size = [](std::ptrdiff_t number) { return static_cast<std::int64_t>(number); };
  const Dims form{size(static_cast<std::ptrdiff_t>(product_.columns)), size(b_kept_step_),
                  size(static_cast<std::ptrdiff_t>(product_.sums)), size(b_summed_step_), 1};
  const Tensor* const constants[] = {&b, call.input(at::b_zero)};
  BROADLOOM_TRY(list, Storage::allocate(column_bytes()));
  auto* const its_zeros = reinterpret_cast<std::int32_t*>(list->data());
  std::fill_n(list->data(), list->size(), std::byte{});
  ProductParameters parameters;
  BROADLOOM_CHECK(parameters.read(call, {at::a,
                                         at::b,
                                         {ProductInputs::none, at::b_zero, ProductInputs::none, at::b_scale,
                                          ProductInputs::none, ProductInputs::none, ProductInputs::none}}));
  parameters.write_zeros(its_zeros, product_.columns, 0, b.dtype);
  BROADLOOM_TRY(columns, packed->pack(PackedOperands::Kind::pairs, constants, form, bytes_of_packed(), [&](std::byte* to) {
    write_packed(to, {b.data(), b_kept_step_, b_summed_step_}, b.dtype, its_zeros);
    return Status();
  }));
  packed_bytes_ = {};
  is_packed_ = true;
  const auto axis = [&](std::size_t extent, std::ptrdiff_t step) {
    return Axis{size(static_cast<std::ptrdiff_t>(extent)), extent == 1 ? 0 : size(step)};
  };
  const Axis kept = axis(product_.columns, b_kept_step_);
  return Ready{columns, nullptr, pairs_substitute(columns, b, kept, axis(product_.sums, b_summed_step_)), at::b};
}

// Reads what belongs to columns, and is the same for all matrices.
Status ReadyQuantisedProduct::read_columns(const Call& call, Columns& columns) const {
  const auto number = [&](std::size_t input) -> Result<float> {
    BROADLOOM_TRY(tensor, parameter_in(call, input));
    return *reinterpret_cast<const float*>(tensor.data());
  };
  const std::size_t count = product_.columns;
  BROADLOOM_TRY(a_scale, number(at::a_scale));
  BROADLOOM_TRY(divisor, number(at::divisor));
  BROADLOOM_TRY(least, number(at::least));
  BROADLOOM_TRY(greatest, number(at::greatest));
  BROADLOOM_TRY(factor, number(at::factor));
  BROADLOOM_TRY(bias, parameter_in(call, at::bias));
  ProductParameters parameters;
  BROADLOOM_CHECK(parameters.read(call, {at::a,
                                         at::b,
                                         {ProductInputs::none, at::b_zero, ProductInputs::none, at::b_scale,
                                          ProductInputs::none, ProductInputs::none, ProductInputs::none}}));
  std::fill_n(columns.lists, columns.bytes * column_lists, std::byte{});
  const Dtype dtype = call.inputs[at::b]->dtype;
  auto* const its_zeros = columns.list<std::int32_t>(zeros);
  float* const its_scales = columns.list(scales);
  if (is_in_bytes()) {
    columns.has_zeros = parameters.write_zeros(its_zeros, count, 0, dtype);
  } else {
    // Elements less their least number, and less 128.
    const float least_of_b = parameters.get(ProductInputs::b_zero, 0, 0, 1, 0);
    std::fill_n(its_zeros, count, -static_cast<std::int32_t>(least_of_b) - 128);
    columns.has_zeros = least_of_b != -128;
  }
  parameters.write_scales(its_scales, count, 0, 1);
  const auto* const its_bias = bias.has_elements() ? reinterpret_cast<const float*>(bias.data()) : nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const double of_b = its_scales[i];
    columns.list(quotients)[i] = static_cast<float>(of_b * a_scale / divisor);
    if (its_bias == nullptr) continue;
    columns.list(biases)[i] = its_bias[i];
    columns.list(added)[i] = its_bias[i] / divisor;
    // Three roundings on each side.
    columns.list(slacks)[i] = std::abs(its_bias[i] / divisor) * 0x8p-24F;
  }
  columns.inverse_of_a = 1 / a_scale;
  columns.has_bias = its_bias != nullptr;
  columns.settling = {columns.list(quotients),
                      columns.list(added),
                      columns.list(bounds),
                      columns.list(slacks),
                      divisor,
                      least,
                      greatest,
                      factor};
  return {};
}

// The bounds of the columns' errors, from their norms.
void ReadyQuantisedProduct::set_bounds(const Columns& columns) const {
  const auto* const its_norms = reinterpret_cast<const float*>(columns.grid.packed + in_memory(product_.packed_bytes()));
  const float* const its_scales = columns.list(scales);
  float* const to = columns.list(bounds);
  // 2^-24, and the roundings of bounds themselves.
  const float unit = 0x1.04p-24F / columns.settling.divisor;
  for (std::size_t i = 0; i < product_.columns; ++i) {
    to[i] = product_.sums > most_settled_sums ? std::numeric_limits<float>::infinity() : its_norms[i] * its_scales[i] * unit;
  }
}

// Writes a matrix of float32 as bytes: in rows if its columns lie side by side, else in columns.
void ReadyQuantisedProduct::narrow(std::byte* to, const std::byte* from, float inverse, float shift) const {
  constexpr auto item = static_cast<std::ptrdiff_t>(sizeof(float));
  const bool are_rows = b_kept_step_ == item;
  const std::size_t length = are_rows ? product_.columns : product_.sums;
  const std::size_t count = are_rows ? product_.sums : product_.columns;
  const std::ptrdiff_t item_step = are_rows ? b_kept_step_ : b_summed_step_;
  const std::ptrdiff_t step = are_rows ? b_summed_step_ : b_kept_step_;
  std::byte* const row = to + in_memory(whole_vectors(Count(length) * count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* at = from + times(i, step);
    if (item_step != item) {
      copy_items(row, at, item_step, length);
      at = row;
    }
    narrow_grid(to + i * length, reinterpret_cast<const float*>(at), inverse, shift, length);
  }
}

// Writes the rows of one matrix of the result.
Status ReadyQuantisedProduct::write_rows(Columns& columns, Walker& walker, std::byte* to) const {
  const std::size_t pitch = product_.columns * sizeof(float);
  const std::size_t most_open = in_memory(open_entries()) - product_.columns;
  const std::int32_t* const column_zeros = columns.has_zeros ? columns.list<std::int32_t>(zeros) : nullptr;
  for (std::size_t first = 0; first < product_.rows; first += most_settled_rows, to += most_settled_rows * pitch) {
    const std::size_t count = std::min(most_settled_rows, product_.rows - first);
    const std::byte* rows[most_settled_rows];
    for (std::size_t row = 0; row < count; row += product_.block_rows()) {
      const std::size_t some = std::min(product_.block_rows(), count - row);
      BROADLOOM_CHECK(Watch::check(steps_of_products(some, product_.columns, product_.sums)));
      const std::byte* widened[PairProduct::most_rows];
      for (std::size_t i = 0; i < some; ++i, walker.advance(1)) {
        rows[row + i] = walker.at();
        if (!has_rows_in_place()) {
          std::byte* const copy = columns.copied + (row + i) * in_memory(row_bytes());
          copy_items(copy, walker.at(), a_step_, product_.sums);
          rows[row + i] = copy;
        }
        std::byte* const wide = columns.widened + i * in_memory(widened_bytes());
        widen_grid(wide, reinterpret_cast<const float*>(rows[row + i]), columns.inverse_of_a, product_.sums);
        widened[i] = wide;
      }
      product_.multiply(to + row * pitch, widened, columns.grid.packed, column_zeros, some);
      for (std::size_t i = row; i < row + some; ++i) {
        const float norm = rounding_norm(reinterpret_cast<const float*>(rows[i]), product_.sums);
        columns.settling.run(to + i * pitch, i, norm, product_.columns, columns.open);
        if (columns.open.count > most_open) columns.settling.sum_again(to, rows, columns.grid, columns.open, columns.again);
      }
    }
    BROADLOOM_CHECK(Watch::check(steps_of_products(columns.open.count, 1, product_.sums)));
    columns.settling.sum_again(to, rows, columns.grid, columns.open, columns.again);
  }
  return {};
}

Status ReadyQuantisedProduct::run_and_finish(const Call& call, std::byte* workspace, Finish* finish) {
  if (batches_ == 0 || product_.rows == 0 || product_.columns == 0) return {};
  const auto take = [&](Count bytes) {
    std::byte* const part = workspace;
    workspace += in_memory(bytes);
    return part;
  };
  Columns columns{};
  columns.bytes = in_memory(column_bytes());
  columns.lists = take(column_bytes() * column_lists);
  columns.widened = take(widened_bytes() * product_.block_rows());
  columns.copied = take(copied_bytes());
  columns.open = {reinterpret_cast<OpenResults::Entry*>(take(open_bytes())), columns.list<std::uint32_t>(firsts)};
  columns.again = take(again_bytes());
  BROADLOOM_CHECK(read_columns(call, columns));
  std::fill_n(columns.open.first, (product_.columns + pair_panel_columns - 1) / pair_panel_columns, OpenResults::none);
  std::byte* const packed_here = take(packed_bytes_);
  std::byte* const bytes_of_b = take(bytes_of_b_);
  columns.grid = {
      is_packed_ ? call.packed : packed_here, product_.columns,     product_.sums,
      columns.list<std::int32_t>(zeros),      columns.list(scales), columns.has_bias ? columns.list(biases) : nullptr};
  const std::size_t item = b_item_;
  Walker a_batch(call.inputs[at::a]->data(), a_batch_, sizeof(float));
  Walker b_batch(is_packed_ ? nullptr : call.inputs[at::b]->data(), b_batch_, item);
  std::byte* to = call.outputs[0].data();
  const std::byte* last = nullptr;
  for (std::size_t i = 0; i < batches_; ++i, a_batch.advance(1), b_batch.advance(1)) {
    if (!is_packed_ && (i == 0 || b_batch.at() != last)) {
      last = b_batch.at();
      Matrix matrix{last, b_kept_step_, b_summed_step_};
      Dtype dtype = call.inputs[at::b]->dtype;
      if (!is_in_bytes()) {
        const float shift = -static_cast<float>(columns.list<std::int32_t>(zeros)[0]);
        narrow(bytes_of_b, last, 1 / columns.list(scales)[0], shift);
        const bool are_rows = b_kept_step_ == static_cast<std::ptrdiff_t>(sizeof(float));
        const auto pitch = static_cast<std::ptrdiff_t>(are_rows ? product_.columns : product_.sums);
        matrix = are_rows ? Matrix{bytes_of_b, 1, pitch} : Matrix{bytes_of_b, pitch, 1};
        dtype = Dtype::int8;
      }
      write_packed(packed_here, matrix, dtype, columns.list<std::int32_t>(zeros));
    }
    if (i == 0 || !is_packed_) set_bounds(columns);
    Walker rows(a_batch.at(), a_rows_, sizeof(float));
    BROADLOOM_CHECK(write_rows(columns, rows, to));
    const std::size_t count = product_.rows * product_.columns;
    if (finish != nullptr) BROADLOOM_CHECK(finish->run(to, count));
    to += count * sizeof(float);
  }
  return {};
}

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  const Tensor b = second_of(call);
  auto product = std::make_unique<ReadyQuantisedProduct>(call, b);
  BROADLOOM_TRY(made, product->pack(call, b, packed));
  made.call = std::move(product);
  return std::move(made);
}

}  // namespace

BROADLOOM_OPERATOR(op, quantised_product){
    .name = "MatMul",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = work_of_products,
};

}  // namespace broadloom
