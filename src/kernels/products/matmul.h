// Products of matrices, and whatever else is a sum of products of two operands' elements.
#pragma once

#include <cstddef>

#include "core/count.h"
#include "core/dtype.h"
#include "core/layout.h"
#include "core/status.h"
#include "kernels/elementwise/finish.h"
#include "kernels/products/few_rows.h"
#include "kernels/products/panels.h"
#include "kernels/products/tiles.h"

namespace broadloom {

// One operand: three groups of axes, of any strides, which count from `data` together. Where one matrix serves a whole batch,
// the axes of that are better kept by the other operand: both are packed for each of a batch.
struct Factor {
  const std::byte* data;
  Layout batch;   // what both operands and the result have
  Layout kept;    // what the result has of this one: rows of the first operand, columns of the second one
  Layout summed;  // what both have, and the result has not
};

// Writes the sums of the products, densely: first the axes of the batch, then the kept axes of a, then the kept axes of b. Both
// operands have batches of the same dims, and sums of the same dims. Without elements to sum, the results are 0.
//
// `dtype` is the type of the operands: an integer of 8 bits or more, or a floating-point type of 16 bits or more. The results
// have the type that it is computed in (accumulate_type_of): float16 and bfloat16 are not rounded yet. Integers wrap around.
//
// Each sum is made of the sums of 256 products each, in order, which are added in order. So the bits of a row of the result do
// not depend on the other rows, nor on where the operands lie, nor on whether they were packed. The error of a sum of n
// products grows with 256 + n / 256.
//
// `packed_columns` is what pack_columns wrote for b, or nullptr; then b has no batch.
//
// A product takes the time of batch * a.kept * b.kept * summed multiplications. Each operand is read once for some hundred rows
// or columns of the other. Fails when there is no memory to pack operands.
Status multiply(Dtype dtype, std::byte* to, const Factor& a, const Factor& b, const std::byte* packed_columns = nullptr);

// A product made ready for the layouts of its operands. It runs any number of times, with operands at other addresses each
// time: to make it ready takes 190 ns, as long as the product of 8x16 and 16x24.
class Multiplication {
 public:
  // Nothing is read at the factors' data. Where it `is_packed`, runs get packed columns: the ones that pack_columns writes, or,
  // with `is_wide`, strips in the accumulate type.
  Multiplication(Dtype dtype, const Factor& a, const Factor& b, bool is_packed, bool is_wide = false);

  Status run(std::byte* to, const std::byte* a, const std::byte* b, const std::byte* packed_columns,
             Finish* finish = nullptr) const;

 private:
  // One operand: a matrix for each of the batch.
  struct Operand {
    void set(const Factor& factor, std::size_t item_size);
    // Whether the elements of a sum follow each other.
    bool has_sums_side_by_side(std::size_t item_size) const {
      return !is_matrix || summed_step == static_cast<std::ptrdiff_t>(item_size);
    }

    bool is_matrix;  // its elements can be read where they are; else each matrix is copied first
    std::ptrdiff_t kept_step;
    std::ptrdiff_t summed_step;
    Count copy_bytes;
    MergedAxes batch;
    Layout copied;
  };
  class Matrices;
  struct Buffers;

  Status run_matrix(std::byte* to, const Matrix& a, const Matrix& b, const Buffers& buffers) const;
  // By write_few_.
  Status run_few_rows(std::byte* to, const Matrix& a, const Buffers& buffers) const;
  // All rows of some columns.
  Status write_columns(std::byte* to, const Matrix& a, const Panels& panels, std::size_t done, std::size_t depth,
                       const Buffers& buffers) const;
  bool has_results() const { return batches_ > 0 && rows_ > 0 && columns_ > 0; }
  std::size_t result_bytes() const { return rows_ * columns_ * types_.accumulate_size; }

  bool is_turned_;
  bool is_packed_;
  bool is_dot_;                     // of one row and one column
  bool are_rows_in_place_ = false;  // whether rows of the first operand are read in place
  ItemTypes types_;
  WriteBlock write_;
  WriteFewRows write_few_ = nullptr;  // for packed columns and few rows
  std::size_t rows_;
  std::size_t columns_;
  std::size_t sums_;
  std::size_t batches_;
  std::size_t packed_row_;  // bytes of a row of a packed panel
  std::size_t row_bytes_ = 0;
  std::size_t panel_bytes_ = 0;
  std::size_t block_columns_ = 0;
  Operand a_;
  Operand b_;
};

// Whether the product of `rows` rows and b is faster with packed columns. b has no batch, and at most one axis in each of the
// other groups.
bool is_worth_packing(const Factor& b, std::int64_t rows);

// The bytes that the packed columns of b take. The columns are rounded up to whole strips. Elements of two
// bytes keep their type, and 16 bytes follow, which say whether an element is infinite or NaN; others have the type of
// computation.
Count packed_columns_size(Dtype dtype, const Factor& b);

// Packs b for products with any first operand. It has no batch, and one axis or less of each of the other groups.
void pack_columns(Dtype dtype, std::byte* to, const Factor& b);

}  // namespace broadloom
