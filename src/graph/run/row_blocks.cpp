#include "graph/run/row_blocks.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/reduce/softmax.h"
#include "ops/product/products.h"

namespace broadloom {
namespace {

// The scores and weights of a block stay in the second-level cache.
constexpr std::size_t most_block_bytes = std::size_t{512} * 1024;

// The fewest rows for which columns are packed beforehand.
constexpr std::size_t least_rows = 9;

// The axes before the last two.
Layout batch_of(const Layout& layout) { return axes_of(layout, 0, layout.dims.size() - 2); }

std::size_t last_size(const Tensor& tensor, std::size_t from_end) {
  const std::span<const std::int64_t> dims = tensor.run_dims();
  return in_memory(dims[dims.size() - from_end]);
}

// The layout of an operand of a product whose result has this rank.
Layout broadcast_matrices(const Tensor& operand, const Tensor& result) {
  SymbolicDims dims = result.dims();
  const std::size_t rank = operand.dims().size();
  for (std::size_t i = 1; i <= 2; ++i) dims[dims.size() - i] = operand.dims()[rank - i];
  return broadcast_to(operand.layout, dims);
}

// Whether the elements of the result's rows are numbers of this operand.
bool has_rows(const Layout& layout, std::size_t rows, std::size_t keys) {
  const std::span<const std::int64_t> dims = layout.run_dims();
  return dims.size() >= 2 && in_memory(dims[dims.size() - 2]) == rows && in_memory(dims[dims.size() - 1]) == keys;
}

bool is_matrix(const Tensor& tensor) { return tensor.dtype == Dtype::float32 && tensor.dims().size() >= 2; }

// Few rows of many are no block of their own.
std::size_t rows_of_block(std::size_t rows, std::size_t keys) {
  const std::size_t most = std::max<std::size_t>(most_block_bytes / (2 * sizeof(float) * keys), 16);
  const std::size_t blocks = (rows + most - 1) / most;
  return std::min(rows, ((rows + blocks - 1) / blocks + 3) / 4 * 4);
}

}  // namespace

// ---- Made ----

RowBlocks::Matrices::Matrices(const Tensor& its_tensor, const Layout& layout)
    : tensor(its_tensor),
      row_step(layout.strides[layout.dims.size() - 2]),
      column_step(layout.strides[layout.dims.size() - 1]) {
  const MergedAxes axes = merge_axes(batch_of(layout));
  batch.assign(axes.axes, axes.axes + axes.rank);
}

std::int64_t RowBlocks::Matrices::first_of(std::size_t matrix) const {
  auto left = static_cast<std::int64_t>(matrix);
  std::int64_t place = 0;
  for (std::size_t i = batch.size(); i-- > 0; left /= batch[i].extent) place += left % batch[i].extent * batch[i].stride;
  return place;
}

Factor RowBlocks::columns_of(const Matrices& matrices, const std::byte* data, std::size_t kept, std::size_t summed) const {
  const auto axis = [](std::size_t size, std::int64_t stride) {
    return Layout{SymbolicDims{static_cast<std::int64_t>(size)}, Dims{stride}};
  };
  return {data, {}, axis(kept, matrices.column_step), axis(summed, matrices.row_step)};
}

RowBlocks::Form::Form(const RowBlocks& blocks, const RowBlockParts& parts, std::size_t count)
    : rows(count),
      first(Dtype::float32,
            {nullptr,
             {},
             {SymbolicDims{static_cast<std::int64_t>(count)}, Dims{blocks.query_.row_step}},
             {SymbolicDims{static_cast<std::int64_t>(blocks.sums_)}, Dims{blocks.query_.column_step}}},
            blocks.columns_of(blocks.key_, nullptr, blocks.keys_, blocks.sums_), true),
      second(Dtype::float32,
             {nullptr,
              {},
              {SymbolicDims{static_cast<std::int64_t>(count)}, Dims{static_cast<std::int64_t>(blocks.keys_)}},
              {SymbolicDims{static_cast<std::int64_t>(blocks.keys_)}, Dims{1}}},
             blocks.columns_of(blocks.value_, nullptr, blocks.width_, blocks.keys_), true) {
  for (const RowBlockParts::Change& change : parts.changes)
    changes.push_back(std::make_unique<Routine>(change.routine, static_cast<std::int64_t>(count)));
}

RowBlocks::RowBlocks(const RowBlockParts& parts)
    : batches_(in_memory(batch_of(parts.scores.layout).count())),
      rows_(last_size(parts.scores, 2)),
      keys_(last_size(parts.scores, 1)),
      sums_(last_size(parts.query, 1)),
      width_(last_size(parts.output, 1)),
      query_(parts.query, broadcast_matrices(parts.query, parts.scores)),
      key_(parts.key, broadcast_matrices(parts.key, parts.scores)),
      value_(parts.value, broadcast_matrices(parts.value, parts.output)),
      result_(parts.output, parts.output.layout),
      output_(parts.output) {
  for (const RowBlockParts::Change& change : parts.changes) {
    std::vector<Operand>& list = operands_.emplace_back();
    for (std::size_t i = 0; i < change.operands.size(); ++i) {
      const Tensor& operand = change.operands[i];
      list.push_back({Matrices(operand, change.routine.layout(i)), &*operand.storage == &change.scores});
    }
    are_before_.push_back(change.is_before_softmax);
  }
  const std::size_t most = rows_of_block(rows_, keys_);
  forms_.reserve(2);
  forms_.emplace_back(*this, parts, most);
  if (rows_ % most != 0) forms_.emplace_back(*this, parts, rows_ % most);
  score_bytes_ = whole_vectors(Count(most) * keys_ * sizeof(float));
  key_bytes_ = whole_vectors(packed_columns_size(Dtype::float32, columns_of(key_, nullptr, keys_, sums_)));
  value_bytes_ = whole_vectors(packed_columns_size(Dtype::float32, columns_of(value_, nullptr, width_, keys_)));
  const bool is_in_place = result_.row_step == static_cast<std::int64_t>(width_);
  result_bytes_ = is_in_place ? Count() : whole_vectors(Count(most) * width_ * sizeof(float));
  Count of_changes = 0;
  for (const Form& form : forms_) {
    for (const auto& change : form.changes) of_changes = std::max(of_changes, change->workspace_bytes());
  }
  bytes_ = score_bytes_ * 2 + key_bytes_ + value_bytes_ + result_bytes_ + of_changes;
}

std::unique_ptr<RowBlocks> RowBlocks::make(const RowBlockParts& parts) {
  for (const Tensor* tensor : {&parts.query, &parts.key, &parts.scores, &parts.weights, &parts.value, &parts.output}) {
    if (!is_matrix(*tensor) || tensor->count() == 0) return nullptr;
  }
  const std::size_t rows = last_size(parts.scores, 2);
  const std::size_t keys = last_size(parts.scores, 1);
  if (rows < least_rows || keys < 2 || keys > most_softmax_length) return nullptr;
  if (last_size(parts.query, 1) < 2 || last_size(parts.output, 1) < 2) return nullptr;
  const Layout& output = parts.output.layout;
  if (output.strides[output.dims.size() - 1] != 1) return nullptr;
  if (!has_rows(parts.weights.layout, rows, keys) || parts.weights.count() != parts.scores.count()) return nullptr;
  if (batch_of(parts.weights.layout).count() != batch_of(output).count()) return nullptr;  // one matrix, many values
  for (const RowBlockParts::Change& change : parts.changes) {
    for (std::size_t i = 0; i < change.operands.size(); ++i) {
      if (!has_rows(change.routine.layout(i), rows, keys)) return nullptr;
    }
  }
  return std::unique_ptr<RowBlocks>(new RowBlocks(parts));
}

// ---- Run ----

struct RowBlocks::Buffers {
  std::byte* scores;
  std::byte* weights;
  std::byte* key;
  std::byte* value;
  std::byte* result;
  std::byte* workspace;
};

Status RowBlocks::change(const Form& form, bool is_before, std::byte* scores, std::size_t matrix, std::size_t row,
                         std::byte* workspace) const {
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    if (are_before_[i] != is_before) continue;
    Routine& routine = *form.changes[i];
    for (std::size_t k = 0; k < operands_[i].size(); ++k) {
      const auto& [from, are_scores] = operands_[i][k];
      const std::int64_t place = are_scores ? 0 : from.first_of(matrix) + static_cast<std::int64_t>(row) * from.row_step;
      const auto size = static_cast<std::int64_t>(item_size(from.tensor.dtype));
      routine.place(k, are_scores ? scores : from.tensor.data() + place * size);
    }
    BROADLOOM_CHECK(routine.run(scores, workspace));
  }
  return {};
}

Status RowBlocks::run_rows(const Form& form, std::size_t matrix, std::size_t row, const Buffers& buffers) const {
  const auto first = static_cast<std::int64_t>(row);
  const float* const query = query_.at(matrix) + first * query_.row_step;
  BROADLOOM_CHECK(form.first.run(buffers.scores, reinterpret_cast<const std::byte*>(query), nullptr, buffers.key));
  BROADLOOM_CHECK(change(form, true, buffers.scores, matrix, row, buffers.workspace));
  BROADLOOM_CHECK(softmax_rows(buffers.weights, buffers.scores, form.rows, keys_));
  BROADLOOM_CHECK(change(form, false, buffers.weights, matrix, row, buffers.workspace));
  auto* to = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(result_.at(matrix) + first * result_.row_step));
  if (result_bytes_ == 0) return form.second.run(to, buffers.weights, nullptr, buffers.value);
  BROADLOOM_CHECK(form.second.run(buffers.result, buffers.weights, nullptr, buffers.value));
  const std::size_t bytes = width_ * sizeof(float);
  for (std::size_t i = 0; i < form.rows; ++i, to += result_.row_step * static_cast<std::int64_t>(sizeof(float)))
    std::memcpy(to, buffers.result + i * bytes, bytes);
  return {};
}

Status RowBlocks::run(std::byte* workspace) const {
  Buffers buffers{};
  for (const auto& [buffer, bytes] : {std::pair(&buffers.scores, score_bytes_), std::pair(&buffers.weights, score_bytes_),
                                      std::pair(&buffers.key, key_bytes_), std::pair(&buffers.value, value_bytes_),
                                      std::pair(&buffers.result, result_bytes_)}) {
    *buffer = workspace;
    workspace += in_memory(bytes);
  }
  buffers.workspace = workspace;
  const float* last_key = nullptr;
  const float* last_value = nullptr;
  for (std::size_t matrix = 0; matrix < batches_; ++matrix) {
    // Heads that share keys follow each other.
    if (const float* key = key_.at(matrix); key != last_key) {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(keys_ * sums_)));
      pack_columns(Dtype::float32, buffers.key, columns_of(key_, reinterpret_cast<const std::byte*>(key), keys_, sums_));
      last_key = key;
    }
    if (const float* value = value_.at(matrix); value != last_value) {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(keys_ * width_)));
      pack_columns(Dtype::float32, buffers.value, columns_of(value_, reinterpret_cast<const std::byte*>(value), width_, keys_));
      last_value = value;
    }
    for (std::size_t row = 0; row < rows_; row += forms_[0].rows) {
      const bool is_whole = rows_ - row >= forms_[0].rows;
      BROADLOOM_CHECK(run_rows(is_whole ? forms_.front() : forms_.back(), matrix, row, buffers));
    }
  }
  return {};
}

}  // namespace broadloom
