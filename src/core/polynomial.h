// Polynomials over numbered factors, the form that expressions are computed in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/count.h"

namespace broadloom {

// Real models need far fewer terms. Without bounds, products of sums would grow without end.
inline constexpr std::size_t most_terms = 12;
inline constexpr std::size_t most_factors = 6;

// A coefficient and the numbers of its factors, ascending.
struct Term {
  std::int64_t coefficient = 0;
  std::size_t degree = 0;
  std::uint32_t factors[most_factors] = {};

  std::span<const std::uint32_t> values() const { return {factors, degree}; }
  friend bool same_product(const Term& a, const Term& b) {
    return std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end());
  }
  friend bool comes_before(const Term& a, const Term& b) {
    if (a.degree != b.degree) return a.degree > b.degree;
    return std::lexicographical_compare(a.values().begin(), a.values().end(), b.values().begin(), b.values().end());
  }
};

// Unknown if there are too many factors, or the coefficient overflows.
inline std::optional<Term> product(const Term& a, const Term& b) {
  Term result;
  if (a.degree + b.degree > most_factors || __builtin_mul_overflow(a.coefficient, b.coefficient, &result.coefficient))
    return {};
  result.degree = a.degree + b.degree;
  std::merge(a.values().begin(), a.values().end(), b.values().begin(), b.values().end(), result.factors);
  return result;
}

// `a` divided by `b`, if there is no remainder.
inline std::optional<Term> exact_quotient(const Term& a, const Term& b) {
  if (!std::includes(a.values().begin(), a.values().end(), b.values().begin(), b.values().end())) return {};
  if (a.coefficient % b.coefficient != 0) return {};
  Term result;
  result.coefficient = a.coefficient / b.coefficient;
  const auto* end =
      std::set_difference(a.values().begin(), a.values().end(), b.values().begin(), b.values().end(), result.factors);
  result.degree = in_memory(end - result.factors);
  return result;
}

// A sum of terms with different products, in order. If it is unknown or too long, its terms are unspecified.
struct Polynomial {
  bool is_known = true;
  std::size_t size = 0;
  Term terms[most_terms];

  static Polynomial unknown() {
    Polynomial result;
    result.is_known = false;
    return result;
  }
  std::span<const Term> values() const { return {terms, size}; }

  void add(const Term& term) {
    if (term.coefficient == 0 || !is_known) return;
    std::size_t i = 0;
    while (i < size && comes_before(terms[i], term)) ++i;
    if (i < size && same_product(terms[i], term)) {
      if (__builtin_add_overflow(terms[i].coefficient, term.coefficient, &terms[i].coefficient)) is_known = false;
      // The negative of INT64_MIN would overflow.
      if (terms[i].coefficient == INT64_MIN) is_known = false;
      if (terms[i].coefficient == 0) std::copy(terms + i + 1, terms + size--, terms + i);
      return;
    }
    if (size == most_terms || term.coefficient == INT64_MIN) {
      is_known = false;
      return;
    }
    std::copy_backward(terms + i, terms + size, terms + size + 1);
    terms[i] = term;
    ++size;
  }
  void add(const std::optional<Term>& term) {
    if (term) {
      add(*term);
    } else {
      is_known = false;
    }
  }
};

}  // namespace broadloom
