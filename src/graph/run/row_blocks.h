// The softmax of a product's rows, multiplied by another matrix: attention as exporters write it. Some rows at a time, whose
// scores stay in the cache and have no other memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "kernels/elementwise/program.h"
#include "kernels/products/matmul.h"

namespace broadloom {

// softmax(query * key) * value, with programs between. Scores are float32, `rows` rows of `keys` for each of `batches`. Since
// products, elementwise steps and softmaxes compute each row by itself, results have the bits of whole steps.
struct RowBlockParts {
  // A program over all scores, which replaces them. Operands with the storage of `scores` are these.
  struct Change {
    const Routine& routine;
    std::span<const Tensor> operands;
    const Storage& scores;
    bool is_before_softmax;
  };
  const Tensor& query;
  const Tensor& key;
  const Tensor& scores;   // the result of the first product
  const Tensor& weights;  // the first operand of the second product
  const Tensor& value;
  const Tensor& output;
  std::vector<Change> changes;
};

class RowBlocks {
 public:
  // nullptr where whole steps are as fast, or where the parts do not fit.
  static std::unique_ptr<RowBlocks> make(const RowBlockParts& parts);

  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  Status run(std::byte* workspace) const;
  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const { return bytes_; }
  const Tensor& output() const { return output_; }

 private:
  // Matrices of a tensor, one for each of the batch.
  struct Matrices {
    Matrices(const Tensor& its_tensor, const Layout& layout);
    // The number of an element in the tensor: of the first one of a matrix.
    std::int64_t first_of(std::size_t matrix) const;
    const float* at(std::size_t matrix) const { return reinterpret_cast<const float*>(tensor.data()) + first_of(matrix); }

    Tensor tensor;
    std::vector<Axis> batch;
    std::int64_t row_step;
    std::int64_t column_step;
  };
  struct Operand {
    Matrices matrices;
    bool are_scores;
  };
  // The work for a number of rows.
  struct Form {
    Form(const RowBlocks& blocks, const RowBlockParts& parts, std::size_t count);

    std::size_t rows;
    Multiplication first;
    Multiplication second;
    std::vector<std::unique_ptr<Routine>> changes;
  };
  struct Buffers;

  explicit RowBlocks(const RowBlockParts& parts);

  Factor columns_of(const Matrices& matrices, const std::byte* data, std::size_t kept, std::size_t summed) const;
  Status run_rows(const Form& form, std::size_t matrix, std::size_t row, const Buffers& buffers) const;
  Status change(const Form& form, bool is_before, std::byte* scores, std::size_t matrix, std::size_t row,
                std::byte* workspace) const;

  std::size_t batches_;
  std::size_t rows_;
  std::size_t keys_;
  std::size_t sums_;   // of the first product
  std::size_t width_;  // of the second product
  Matrices query_;
  Matrices key_;
  Matrices value_;
  Matrices result_;
  Tensor output_;
  std::vector<std::vector<Operand>> operands_;  // of each change
  std::vector<bool> are_before_;
  std::vector<Form> forms_;  // for most blocks, and for the last one
  Count bytes_;
  Count score_bytes_;
  Count key_bytes_;
  Count value_bytes_;
  Count result_bytes_;  // 0 where rows of the result follow each other
};

}  // namespace broadloom
