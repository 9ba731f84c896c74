#include "graph/run/row_blocks.h"

#include <algorithm>
#include <cstring>

#include "core/limits.h"
#include "graph/run/plan.h"
#include "kernels/reduce/softmax.h"

namespace broadloom {
namespace {

// The scores and weights of a block stay in the second-level cache.
constexpr std::size_t most_block_bytes = std::size_t{512} * 1024;

// Fewer rows have no use of packed columns.
constexpr std::size_t least_rows = 9;

std::int64_t last_dim(const Layout& layout, std::size_t from_end) { return layout.run_dims()[layout.dims.size() - from_end]; }
std::int64_t last_stride(const Layout& layout, std::size_t from_end) { return layout.strides[layout.dims.size() - from_end]; }

// The address of a row: of one of the matrices that the last two axes are.
std::byte* row_of(const Tensor& tensor, std::size_t matrix, std::size_t row) {
  const std::span<const std::int64_t> dims = tensor.run_dims();
  auto left = static_cast<std::int64_t>(matrix);
  std::int64_t place = static_cast<std::int64_t>(row) * last_stride(tensor.layout, 2);
  for (std::size_t i = dims.size() - 2; i-- > 0; left /= dims[i]) place += left % dims[i] * tensor.layout->strides[i];
  return tensor.data() + place * static_cast<std::int64_t>(item_size(tensor.dtype));
}

// The operand of a product, in the batch of its result.
Tensor in_batch_of(const Tensor& result, const Tensor& operand) {
  SymbolicDims dims = result.dims();
  for (std::size_t i = 1; i <= 2; ++i) dims[dims.size() - i] = last_dim(operand.layout, i);
  Tensor found = operand;
  found.layout = broadcast_to(operand.layout, dims);
  return found;
}

Factor matrix_factor(const std::byte* data, std::int64_t kept, std::int64_t kept_stride, std::int64_t summed,
                     std::int64_t summed_stride) {
  return {data, {}, {SymbolicDims{kept}, Dims{kept_stride}}, {SymbolicDims{summed}, Dims{summed_stride}}};
}

}  // namespace

// ---- Made ----

RowBlocks::Columns::Columns(const Tensor& its_tensor, const Tensor& result) : tensor(in_batch_of(result, its_tensor)) {}

Factor RowBlocks::Columns::factor(const std::byte* data) const {
  const Layout& layout = tensor.layout;
  return matrix_factor(data, last_dim(layout, 1), last_stride(layout, 1), last_dim(layout, 2), last_stride(layout, 2));
}

Multiplication RowBlocks::Columns::product(std::size_t rows, std::int64_t row_stride, std::int64_t stride) const {
  const auto count = static_cast<std::int64_t>(rows);
  return {Dtype::float32, matrix_factor(nullptr, count, row_stride, last_dim(tensor.layout, 2), stride), factor(nullptr), true};
}

Count RowBlocks::Columns::bytes() const { return whole_vectors(packed_columns_size(Dtype::float32, factor(nullptr))); }

RowBlocks::RowBlocks(const RowBlockParts& parts, std::size_t block)
    : rows_(in_memory(last_dim(parts.weights->layout, 2))),
      block_(block),
      keys_(in_memory(last_dim(parts.weights->layout, 1))),
      batches_(in_memory(parts.weights->count()) / (rows_ * keys_)),
      query_(in_batch_of(parts.product->call->made[0], parts.product->call->inputs[0])),
      output_(*parts.output),
      key_(parts.product->call->inputs[1], parts.product->call->made[0]),
      value_(*parts.value, output_),
      first_(key_.product(block, last_stride(query_.layout, 2), last_stride(query_.layout, 1))),
      second_(value_.product(block, static_cast<std::int64_t>(keys_), 1)),
      changes_(parts.changes.size()) {
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const auto& [step, scores, is_before_softmax] = parts.changes[changes_.size() - 1 - i];
    const PlannedProgram& program = *step->program;
    Change& change = changes_[i];
    change.routine = std::make_unique<Routine>(program.routine, static_cast<std::int64_t>(block));
    change.operands = program.operands;
    change.is_before_softmax = is_before_softmax;
    for (std::size_t k = 0; k < change.operands.size(); ++k) {
      Tensor& operand = change.operands[k];
      if (&*operand.storage == scores) operand.storage = {};
      operand.layout = program.routine.layout(k);
    }
  }
}

std::unique_ptr<RowBlocks> RowBlocks::make(const RowBlockParts& parts) {
  const PlannedCall& product = *parts.product->call;
  const Layout& scores = product.made[0].layout;
  const auto has_rows_of_scores = [&](const Layout& layout) {
    return layout.dims.size() >= 2 && last_dim(layout, 1) == last_dim(scores, 1) && last_dim(layout, 2) == last_dim(scores, 2);
  };
  for (const Tensor* tensor :
       {&product.inputs[0], &product.inputs[1], &product.made[0], parts.weights, parts.value, parts.output}) {
    // A row or a column has a shorter way.
    if (tensor->dtype != Dtype::float32 || tensor->dims().size() < 2 || last_dim(tensor->layout, 1) < 2) return nullptr;
  }
  const auto rows = in_memory(last_dim(scores, 2));
  const auto keys = in_memory(last_dim(scores, 1));
  if (rows < least_rows || keys > most_softmax_length || last_stride(parts.output->layout, 1) != 1) return nullptr;
  // Scores of a larger batch share a product, and values of a larger batch share weights.
  const std::int64_t all_rows = parts.weights->count() / last_dim(scores, 1);
  if (scores.count() != parts.weights->count() || parts.output->count() / last_dim(parts.output->layout, 1) != all_rows)
    return nullptr;
  if (!has_rows_of_scores(parts.weights->layout)) return nullptr;
  for (const RowBlockParts::Change& change : parts.changes) {
    const Routine& routine = change.step->program->routine;
    for (std::size_t i = 0; i < routine.operands(); ++i) {
      if (!has_rows_of_scores(routine.layout(i))) return nullptr;
    }
  }
  const std::size_t most = std::max<std::size_t>(most_block_bytes / (2 * sizeof(float) * keys), 16);
  const std::size_t blocks = (rows + most - 1) / most;
  const std::size_t block = std::min(rows, ((rows + blocks - 1) / blocks + 3) / 4 * 4);
  return std::unique_ptr<RowBlocks>(new RowBlocks(parts, block));
}

// ---- Run ----

Count RowBlocks::workspace_bytes() const {
  Count of_changes;
  for (const Change& change : changes_) of_changes = std::max(of_changes, change.routine->workspace_bytes());
  const Count rows_of_result = whole_vectors(Count(block_) * last_dim(output_.layout, 1) * sizeof(float));
  return whole_vectors(Count(block_) * keys_ * sizeof(float)) * 2 + key_.bytes() + value_.bytes() + rows_of_result + of_changes;
}

// Heads that share keys follow each other.
Status RowBlocks::Columns::pack(std::byte* to, std::size_t matrix, const std::byte*& last) const {
  const std::byte* const from = row_of(tensor, matrix, 0);
  if (from == last) return {};
  last = from;
  BROADLOOM_CHECK(
      Watch::check(static_cast<double>(last_dim(tensor.layout, 1)) * static_cast<double>(last_dim(tensor.layout, 2))));
  pack_columns(Dtype::float32, to, factor(from));
  return {};
}

Status RowBlocks::change(bool is_before_softmax, std::byte* scores, std::size_t matrix, std::size_t row,
                         std::byte* workspace) const {
  for (const Change& change : changes_) {
    if (change.is_before_softmax != is_before_softmax) continue;
    for (std::size_t i = 0; i < change.operands.size(); ++i) {
      const Tensor& operand = change.operands[i];
      change.routine->place(i, operand.storage ? row_of(operand, matrix, row) : scores);
    }
    BROADLOOM_CHECK(change.routine->run(scores, workspace));
  }
  return {};
}

Status RowBlocks::run(std::byte* workspace) const {
  const auto take = [&](Count bytes) { return std::exchange(workspace, workspace + in_memory(bytes)); };
  const Count score_bytes = whole_vectors(Count(block_) * keys_ * sizeof(float));
  std::byte* const scores = take(score_bytes);
  std::byte* const weights = take(score_bytes);
  std::byte* const key = take(key_.bytes());
  std::byte* const value = take(value_.bytes());
  const std::size_t row_bytes = in_memory(last_dim(output_.layout, 1)) * sizeof(float);
  std::byte* const result = take(whole_vectors(Count(block_) * row_bytes));
  const auto step = static_cast<std::ptrdiff_t>(last_stride(output_.layout, 2)) * static_cast<std::ptrdiff_t>(sizeof(float));
  const bool is_in_place = step == static_cast<std::ptrdiff_t>(row_bytes);
  const std::byte* last_key = nullptr;
  const std::byte* last_value = nullptr;
  for (std::size_t matrix = 0; matrix < batches_; ++matrix) {
    BROADLOOM_CHECK(key_.pack(key, matrix, last_key));
    BROADLOOM_CHECK(value_.pack(value, matrix, last_value));
    // The last block overlaps the one before it.
    for (std::size_t row = 0;; row = std::min(row + block_, rows_ - block_)) {
      BROADLOOM_CHECK(first_.run(scores, row_of(query_, matrix, row), nullptr, key));
      BROADLOOM_CHECK(change(true, scores, matrix, row, workspace));
      BROADLOOM_CHECK(softmax_rows(weights, scores, block_, keys_));
      BROADLOOM_CHECK(change(false, weights, matrix, row, workspace));
      std::byte* to = row_of(output_, matrix, row);
      BROADLOOM_CHECK(second_.run(is_in_place ? to : result, weights, nullptr, value));
      for (std::size_t i = 0; i < block_ && !is_in_place; ++i, to += step) std::memcpy(to, result + i * row_bytes, row_bytes);
      if (row + block_ == rows_) break;
    }
  }
  return {};
}

}  // namespace broadloom
