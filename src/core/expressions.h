// Symbolic sizes before a run: expressions over the names of sizes in a model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/arena.h"
#include "core/dtype.h"
#include "core/size.h"
#include "core/text.h"

namespace broadloom {

struct Polynomial;  // core/polynomial.h

// Expressions in a canonical form, a sum of products with integer coefficients: equal expressions are one value. Factors are
// names, and floor quotients and minima of expressions; other operations are made of these. Expressions of too many terms
// become unknown, also if memory runs out. All results hold for all values of the names, which are never negative.
class Expressions {
 public:
  // With `needs_proof`, int32 elements hold no expressions: a size of 2^31 wraps around in int32.
  explicit Expressions(bool needs_proof = false) : needs_proof_(needs_proof) {}

  // The size with name `number` of the model.
  Size name(std::uint32_t number);
  // A new unknown size, which is not known to equal any other.
  Size fresh();

  // Operands may be numbers, expressions or unknown. An overflow becomes unknown.
  Size add(Size a, Size b);
  Size subtract(Size a, Size b);
  Size multiply(Size a, Size b);
  Size floor_divide(Size a, Size b);  // unknown for a divisor of 0
  Size ceil_divide(Size a, Size b);
  Size minimum(Size a, Size b);
  Size maximum(Size a, Size b);

  // Whether the size is known to be non-negative.
  bool is_natural(Size size) const;

  // Whether the size fits in an element of `dtype` in every run in which the factors of each term multiply to less than 2^39
  // for int64, or 2^16 for int32.
  bool stays_small(Size size, Dtype dtype) const;

  // Whether the size depends on the model's names alone. Unknown sizes do not.
  bool is_named(Size size) const { return facts_of(size).is_named; }
  // An atomic size: one with a name, or a fresh one. Each has its own number.
  struct Part {
    std::uint32_t number;
    std::optional<std::uint32_t> name;  // its number in the model
  };
  // The size as a part, if it is one.
  std::optional<Part> part_of(Size size) const;
  // The number of the size's name, if it is a name.
  std::optional<std::uint32_t> name_of(Size size) const;

  // The numbers of parts, ascending. If there are more than `most`, the lowest ones.
  class PartNumbers {
   public:
    static constexpr std::size_t most = 16;
    std::span<const std::uint32_t> values() const { return {numbers_, count_}; }
    const std::uint32_t* begin() const { return numbers_; }
    const std::uint32_t* end() const { return numbers_ + count_; }
    void add(std::span<const std::uint32_t> others);

   private:
    std::size_t count_ = 0;
    std::uint32_t numbers_[most];
  };
  // The parts that the size depends on, each once. The cost is bounded for expressions of any depth and width.
  PartNumbers parts_of(Size size) const;
  Part part(std::uint32_t number) const;
  // Adds the size to `text`, such as "2*N + 1", with the model's names by number. Returns false if it is unknown, has a
  // part without a name, or does not fit; the added text is then unspecified. The cost is bounded by the text's capacity.
  bool append(Text& text, Size size, std::span<const std::string_view> names) const;

  // The number of terms that all functions have read so far, as a measure of cost.
  std::uint64_t terms_read() const { return terms_read_; }

 private:
  enum class Kind : std::uint8_t { name, fresh, quotient, minimum };
  struct Facts {
    bool is_named = true;  // it has only names of the model
    std::uint32_t depth = 0;
  };
  struct Factor {
    Kind kind;
    bool is_natural;
    Facts facts;
    Size a;  // the number of a name; or operands
    Size b;
    std::span<const std::uint32_t> parts;  // of a quotient or minimum
  };
  using Words = std::span<const std::int64_t>;

  Size of_factor(Kind kind, bool is_natural, Size a, Size b);
  Polynomial read(Size size) const;
  Size intern(const Polynomial& polynomial);
  std::uint32_t find_or_add(Words words);
  Facts facts_of(Size size) const;
  void append_named(Text& text, Size size, std::span<const std::string_view> names) const;

  bool needs_proof_;
  Arena arena_;
  std::vector<Factor> factors_;
  std::vector<Words> words_;          // of expressions and factors, by number
  std::vector<std::uint32_t> table_;  // numbers by the hash of their words
  mutable std::uint64_t terms_read_ = 0;
};

// Arithmetic on sizes: on numbers in a run, and also on expressions before one. An overflow becomes unknown_size.
class Sizes {
 public:
  // Without expressions, for a run: all values are numbers, or unknown_size after an overflow.
  explicit Sizes(Expressions* expressions) : expressions_(expressions) {}

  Size add(Size a, Size b) const;
  Size subtract(Size a, Size b) const;
  Size multiply(Size a, Size b) const;
  Size floor_divide(Size a, Size b) const;  // unknown for a divisor of 0
  Size ceil_divide(Size a, Size b) const;
  Size minimum(Size a, Size b) const;
  Size maximum(Size a, Size b) const;
  Size product(std::span<const Size> sizes) const;

  // The size, or unknown_size if the expression's value may wrap around in a run as an element of this type, int32 or int64.
  Size unless_wrapping(Size size, Dtype dtype) const;

  // Whether the size is known to be non-negative.
  bool is_natural(Size size) const {
    return size.is_number() ? size.number() >= 0 : !size.is_unknown() && expressions_->is_natural(size);
  }

 private:
  Size symbolic(Size (Expressions::*function)(Size, Size), Size a, Size b) const;

  Expressions* expressions_;
};

}  // namespace broadloom
