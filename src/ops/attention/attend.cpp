#include "ops/attention/attend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/strided.h"
#include "kernels/products/matmul.h"
#include "kernels/products/scores.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

// A block of scores stays in the second-level cache.
constexpr std::int64_t block_bytes = std::int64_t{256} * 1024;

Layout axis_layout(std::int64_t size, std::int64_t stride) { return {SymbolicDims{size}, Dims{stride}}; }

// The address of a head's first element, and its matrix of rows and columns.
struct Head {
  Head(const Tensor& tensor, std::int64_t batch, std::int64_t head)
      : strides(tensor.layout->strides.values()),
        size(static_cast<std::int64_t>(item_size(tensor.dtype))),
        data(tensor.data() + (batch * strides[0] + head * strides[1]) * size) {}
  std::byte* row(std::int64_t i) const { return data + i * strides[2] * size; }

  std::span<const std::int64_t> strides;
  std::int64_t size;
  std::byte* data;
};

class Heads {
 public:
  explicit Heads(const Attended& task)
      : task_(task),
        dtype_(attention_type(task.query.dtype)),
        item_(static_cast<std::int64_t>(item_size(dtype_))),
        dims_(task.query.run_dims()),
        keys_(task.key.run_dims()[2]),
        width_(task.value.run_dims()[3]) {}

  Status run() {
    const std::int64_t group = dims_[1] / std::max<std::int64_t>(task_.key.run_dims()[1], 1);
    const std::int64_t most = std::max<std::int64_t>(block_bytes / (std::max<std::int64_t>(keys_, 1) * item_), 1);
    rows_ = std::min(most, dims_[2]);
    BROADLOOM_CHECK(allocate_buffers());
    for (std::int64_t batch = 0; batch < dims_[0]; ++batch) {
      count_ = keys_;
      offset_ = task_.offset;
      if (task_.lengths != nullptr) {
        const std::int64_t own =
            std::clamp<std::int64_t>(size_at(*task_.lengths, batch * task_.lengths->layout->strides[0]).number(), -1, keys_);
        count_ = std::clamp<std::int64_t>(own + task_.more, 0, keys_);
        if (task_.ends_with_keys) offset_ = count_ - dims_[2];
      }
      for (std::int64_t head = 0; head < dims_[1]; ++head) {
        const Head key(task_.key, batch, head / group);
        const Head value(task_.value, batch, head / group);
        for (std::int64_t row = 0; row < dims_[2]; row += rows_) {
          BROADLOOM_CHECK(run_block(batch, head, key, value, row, std::min(rows_, dims_[2] - row)));
        }
      }
    }
    return {};
  }

 private:
  Status allocate_buffers() {
    const std::int64_t numbers = rows_ * (2 * keys_ + dims_[3] + width_);
    BROADLOOM_TRY(memory, make_tensor(dtype_, {numbers}));
    memory_ = std::move(memory);
    scores_ = memory_.data();
    weights_ = scores_ + rows_ * keys_ * item_;
    query_ = weights_ + rows_ * keys_ * item_;
    result_ = query_ + rows_ * dims_[3] * item_;
    return {};
  }

  // The keys that a query attends: from `first` to before `end`.
  struct Limits {
    std::int64_t first;
    std::int64_t end;
  };
  Limits limits_of(std::int64_t row) const {
    const std::int64_t position = row + offset_;
    std::int64_t end = count_;
    if (task_.added.has_elements()) end = std::min(end, task_.added.run_dims()[3]);
    if (task_.right >= 0) end = std::min(end, position + std::min(task_.right, max_count) + 1);
    std::int64_t first = task_.left < 0 ? 0 : std::max<std::int64_t>(position - std::min(task_.left, max_count), 0);
    end = std::max<std::int64_t>(end, 0);
    return {std::min(first, end), end};
  }

  void keep(Attended::Stage stage, const std::byte* from, std::int64_t batch, std::int64_t head, std::int64_t row,
            std::int64_t count) const {
    if (task_.scores == nullptr || task_.stage != stage) return;
    const std::int64_t at = ((batch * dims_[1] + head) * dims_[2] + row) * keys_;
    const Tensor& to = *task_.scores;
    convert(to.data() + at * static_cast<std::int64_t>(item_size(to.dtype)), to.dtype, from, dtype_, in_memory(count * keys_));
  }

  Status run_block(std::int64_t batch, std::int64_t head, const Head& key, const Head& value, std::int64_t row,
                   std::int64_t count) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(count) * static_cast<double>(keys_)));
    const Head query(task_.query, batch, head);
    const Head output(task_.output, batch, head);
    for (std::int64_t i = 0; i < count; ++i) {
      std::byte* const to = query_ + i * dims_[3] * item_;
      materialize(to, query.row(row + i), axis_layout(dims_[3], query.strides[3]), in_memory(item_));
      scale_numbers(to, to, dtype_, in_memory(dims_[3]), task_.scale);
    }
    const std::int64_t columns = task_.scores != nullptr ? keys_ : most_columns(row, count);
    if (columns > 0) {
      const Factor a{query_, {}, axis_layout(count, dims_[3]), axis_layout(dims_[3], 1)};
      const Factor b{key.data, {}, axis_layout(columns, key.strides[2]), axis_layout(dims_[3], key.strides[3])};
      BROADLOOM_CHECK(multiply(dtype_, scores_, a, b));
    }
    keep(Attended::Stage::product, scores_, batch, head, row, count);
    const auto numbers = in_memory(count * columns);
    if (task_.cap > 0) cap_scores(scores_, dtype_, numbers, task_.cap);
    keep(Attended::Stage::capped, scores_, batch, head, row, count);
    for (std::int64_t i = 0; i < count; ++i) BROADLOOM_CHECK(weigh(batch, head, row + i, i, columns));
    keep(Attended::Stage::added, scores_, batch, head, row, count);
    keep(Attended::Stage::softmax, weights_, batch, head, row, count);
    const Factor a{weights_, {}, axis_layout(count, columns), axis_layout(columns, 1)};
    const Factor b{value.data, {}, axis_layout(width_, value.strides[3]), axis_layout(columns, value.strides[2])};
    BROADLOOM_CHECK(multiply(dtype_, result_, a, b));
    for (std::int64_t i = 0; i < count; ++i) {
      convert(output.row(row + i), task_.output.dtype, result_ + i * width_ * item_, dtype_, in_memory(width_));
    }
    return {};
  }

  std::int64_t most_columns(std::int64_t row, std::int64_t count) const {
    return std::max(limits_of(row).end, limits_of(row + count - 1).end);
  }

  // The weights of a query's keys.
  Status weigh(std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t i, std::int64_t columns) {
    const auto [first, end] = limits_of(row);
    std::byte* const scores = scores_ + i * columns * item_;
    std::byte* const weights = weights_ + i * columns * item_;
    const auto count = in_memory(end - first);
    bool has_keys = count > 0;
    if (task_.added.has_elements() && has_keys) {
      const std::byte* const added = Head(task_.added, batch, head).row(row) + first * item_;
      add_to_scores(scores + first * item_, added, dtype_, count);
      has_keys = !are_all_masked(added, dtype_, count);
    }
    if (task_.scores != nullptr && task_.stage == Attended::Stage::added) {
      mask(scores, 0, first);
      mask(scores, end, columns);
    }
    std::memset(weights, 0, in_memory(columns * item_));
    if (!has_keys) return {};
    BROADLOOM_CHECK(softmax_of_scores(weights + first * item_, scores + first * item_, dtype_, count));
    if (task_.sinks.has_elements()) {
      const float sink = reinterpret_cast<const float*>(task_.sinks.data())[head * task_.sinks.layout->strides[0]];
      give_to_sink(weights + first * item_, scores + first * item_, dtype_, count, static_cast<double>(sink));
    }
    return {};
  }

  void mask(std::byte* scores, std::int64_t from, std::int64_t to) const {
    const double least = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = from; i < to; ++i) {
      convert(scores + i * item_, dtype_, reinterpret_cast<const std::byte*>(&least), Dtype::float64, 1);
    }
  }

  const Attended& task_;
  Dtype dtype_;
  std::int64_t item_;
  std::span<const std::int64_t> dims_;  // of the query
  std::int64_t keys_;
  std::int64_t width_;  // of a value
  std::int64_t rows_ = 0;
  std::int64_t count_ = 0;
  std::int64_t offset_ = 0;
  Tensor memory_;
  std::byte* scores_ = nullptr;
  std::byte* weights_ = nullptr;
  std::byte* query_ = nullptr;
  std::byte* result_ = nullptr;
};

}  // namespace

Status attend(const Attended& given) {
  if (given.output.count() == 0 && given.scores == nullptr) return {};
  Attended task = given;
  const Dtype computed = attention_type(task.query.dtype);
  for (Tensor* tensor : {&task.query, &task.key, &task.value}) {
    if (tensor->dtype == computed) continue;
    BROADLOOM_TRY(wide, in_type(*tensor, computed));
    *tensor = std::move(wide);
  }
  return Heads(task).run();
}

Tensor split_heads(const Tensor& tensor, std::int64_t heads) {
  const std::span<const std::int64_t> dims = tensor.run_dims();
  const std::span<const std::int64_t> strides = tensor.layout->strides.values();
  const std::int64_t size = dims[2] / heads;
  Tensor result = tensor;
  LayoutRef layout(SymbolicDims{dims[0], heads, dims[1], size});
  layout.edit().strides = {strides[0], size * strides[2], strides[1], strides[2]};
  result.layout = std::move(layout);
  return result;
}

Result<Tensor> added_by_mask(const Tensor& mask, Dtype computed) {
  if (mask.dtype != Dtype::boolean) return in_type(mask, computed);
  BROADLOOM_TRY(flags, densify(mask));
  BROADLOOM_TRY(numbers, make_tensor(computed, flags.dims()));
  const std::int64_t count = flags.count();
  for (std::int64_t i = 0; i < count; ++i) {
    const bool is_kept = flags.data()[i] != std::byte{0};
    if (computed == Dtype::float32) {
      reinterpret_cast<float*>(numbers.data())[i] = is_kept ? 0 : -std::numeric_limits<float>::infinity();
    } else {
      reinterpret_cast<double*>(numbers.data())[i] = is_kept ? 0 : -std::numeric_limits<double>::infinity();
    }
  }
  return std::move(numbers);
}

Status join_past(const Tensor& to, const Tensor* past, const Tensor& now, const Tensor* counts) {
  const std::span<const std::int64_t> dims = to.run_dims();
  const auto item = static_cast<std::int64_t>(item_size(to.dtype));
  const std::int64_t head_bytes = dims[2] * dims[3] * item;
  std::byte* end = to.data();
  for (std::int64_t batch = 0; batch < dims[0]; ++batch) {
    for (std::int64_t head = 0; head < dims[1]; ++head) {
      std::byte* at = end;
      end += head_bytes;
      for (const Tensor* part : {past, &now}) {
        if (part == nullptr) continue;
        const std::span<const std::int64_t> strides = part->layout->strides.values();
        const bool is_counted = part == past && counts != nullptr;
        const std::int64_t rows =
            is_counted ? reinterpret_cast<const std::int64_t*>(counts->data())[batch] : part->run_dims()[2];
        const Layout layout{SymbolicDims{rows, dims[3]}, Dims{strides[2], strides[3]}};
        BROADLOOM_CHECK(materialize_watched(at, Head(*part, batch, head).data, layout, in_memory(item)));
        at += rows * dims[3] * item;
      }
      std::memset(at, 0, in_memory(end - at));
    }
  }
  return {};
}

Result<Tensor> with_past(const Call& call, std::size_t past, std::size_t output, const Tensor& now) {
  const Tensor* before = call.input(past);
  const bool is_output = call.outputs.size() > output;
  if (before == nullptr && !is_output) return now;
  SymbolicDims dims = now.dims();
  if (before != nullptr) dims[2] = dims[2].number() + before->run_dims()[2];
  BROADLOOM_TRY(joined, is_output ? Result<Tensor>(call.outputs[output]) : make_tensor(now.dtype, dims));
  BROADLOOM_CHECK(join_past(joined, before, now));
  return std::move(joined);
}

}  // namespace broadloom
