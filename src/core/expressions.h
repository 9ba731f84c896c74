// What sizes that are no numbers before a run stand for: expressions over the names that a model gives its sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/arena.h"
#include "core/size.h"
#include "core/text.h"

namespace broadloom {

// Expressions in one canonical form, a sum of products with integer coefficients: equal ones are one value. Factors are names,
// and floor quotients and minima of expressions; all others are made of these. What outgrows a few terms is unknown, and so
// is all for which there is no memory. Whatever is said holds for every value of the names, of which none is below 0.
class Expressions {
 public:
  // The size with name `number` of the model.
  Size name(std::uint32_t number);
  // A size that no other is known to be equal to.
  Size fresh();

  // Operands may be numbers, expressions or unknown. What overflows is unknown.
  Size add(Size a, Size b);
  Size subtract(Size a, Size b);
  Size multiply(Size a, Size b);
  Size floor_divide(Size a, Size b);  // unknown for a divisor of 0
  Size ceil_divide(Size a, Size b);
  Size minimum(Size a, Size b);
  Size maximum(Size a, Size b);

  // Whether it is known not to be negative.
  bool is_natural(Size size) const;

  // Whether its value fits an int64 in every run in which no name is 2^40 or more: no other sums and products wrap around.
  bool stays_small(Size size) const;

  // Whether it is made of the model's names alone; unknown sizes are not.
  bool is_named(Size size) const { return facts_of(size).is_named; }
  // A size that expressions are made of: one with a name, or a fresh one. Each has a number of its own.
  struct Part {
    std::uint32_t number;
    std::optional<std::uint32_t> name;  // its number in the model
  };
  // The part that the size is, if it is one.
  std::optional<Part> part_of(Size size) const;
  // The number of the name that the size is, if it is one.
  std::optional<std::uint32_t> name_of(Size size) const;

  // The numbers of parts, ascending: of those that were made first, if there are more than `most`.
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
  // The parts that the size is made of, each once. The cost is bounded, however deep and wide the expression is.
  PartNumbers parts_of(Size size) const;
  Part part(std::uint32_t number) const;
  // Adds the size to `text`, as in "2*N + 1", with the names of the model by their numbers. False when it is unknown, has a
  // part without a name, or does not fit; then what was added means nothing. The cost is bounded by the capacity of a text.
  bool append(Text& text, Size size, std::span<const std::string_view> names) const;

  // How many terms were read so far, by all functions: the cost of what was asked.
  std::uint64_t terms_read() const { return terms_read_; }

 private:
  struct Polynomial;
  enum class Kind : std::uint8_t { name, fresh, quotient, minimum };
  struct Facts {
    bool is_named = true;  // all its names have one in the model
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

  Arena arena_;
  std::vector<Factor> factors_;
  std::vector<Words> words_;          // of expressions and factors, by number
  std::vector<std::uint32_t> table_;  // numbers by the hash of their words
  mutable std::uint64_t terms_read_ = 0;
};

// Arithmetic on sizes: on numbers in a run, and on expressions too before one. What overflows is unknown_size.
class Sizes {
 public:
  // Without expressions, for a run: all are numbers, whatever they are.
  explicit Sizes(Expressions* expressions) : expressions_(expressions) {}

  Size add(Size a, Size b) const;
  Size subtract(Size a, Size b) const;
  Size multiply(Size a, Size b) const;
  Size floor_divide(Size a, Size b) const;  // unknown for a divisor of 0
  Size ceil_divide(Size a, Size b) const;
  Size minimum(Size a, Size b) const;
  Size maximum(Size a, Size b) const;
  Size product(std::span<const Size> sizes) const;

  // The size, or unknown_size for an expression whose value may wrap around in a run.
  Size unless_wrapping(Size size) const;

  bool is_number(Size size) const { return expressions_ == nullptr || broadloom::is_number(size); }
  bool are_numbers(Size a, Size b) const { return is_number(a) && is_number(b); }
  // Whether it is known not to be negative.
  bool is_natural(Size size) const { return is_number(size) ? size >= 0 : expressions_->is_natural(size); }

 private:
  Size checked(bool overflows, Size size) const;
  Expressions* expressions_;
};

}  // namespace broadloom
