// Attention as exporters write it: the softmax of a product's rows, multiplied by another matrix. Some rows at a time go
// through all steps, so that their scores stay in the cache and have no other memory.
#pragma once

#include <memory>
#include <vector>

#include "core/tensor.h"
#include "kernels/elementwise/program.h"
#include "kernels/products/matmul.h"

namespace broadloom {

struct PlanStep;

// The steps of a plan that make softmax(query * key), with programs between, and the product of that and values.
struct RowBlockParts {
  // A program over all scores. `scores` has them before it runs.
  struct Change {
    PlanStep* step;
    const Storage* scores;
    bool is_before_softmax;
  };

  PlanStep* product = nullptr;  // which the first change may finish
  PlanStep* softmax = nullptr;
  std::vector<Change> changes;  // from the last one to the first
  const Tensor* weights = nullptr;
  const Tensor* value = nullptr;
  const Tensor* output = nullptr;
};

class RowBlocks {
 public:
  // nullptr where whole steps are as fast, or for other types than float32. Products, programs and softmaxes compute each row
  // by itself, so results have the bits of whole steps.
  static std::unique_ptr<RowBlocks> make(const RowBlockParts& parts);

  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  Status run(std::byte* workspace) const;
  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const;
  const Tensor& output() const { return output_; }

 private:
  struct Change {
    std::unique_ptr<Routine> routine;
    std::vector<Tensor> operands;  // scores have no storage
    bool is_before_softmax;
  };
  // A second factor, which is packed.
  struct Columns {
    Columns(const Tensor& its_tensor, const Tensor& result);
    Factor factor(const std::byte* data) const;
    // The product of rows with these columns.
    Multiplication product(std::size_t rows, std::int64_t row_stride, std::int64_t stride) const;
    Count bytes() const;
    Status pack(std::byte* to, std::size_t matrix, const std::byte*& last) const;

    Tensor tensor;
  };

  RowBlocks(const RowBlockParts& parts, std::size_t block);
  Status change(bool is_before_softmax, std::byte* scores, std::size_t matrix, std::size_t row, std::byte* workspace) const;

  std::size_t rows_;
  std::size_t block_;  // the rows that go through the steps together
  std::size_t keys_;
  std::size_t batches_;
  Tensor query_;
  Tensor output_;
  Columns key_;
  Columns value_;
  Multiplication first_;
  Multiplication second_;
  std::vector<Change> changes_;
};

}  // namespace broadloom
