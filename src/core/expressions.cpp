#include "core/expressions.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/count.h"
#include "core/integers.h"
#include "core/memory.h"
#include "core/polynomial.h"

namespace broadloom {
namespace {

constexpr std::uint32_t most_depth = 8;  // of nested quotients and minima

// A file chooses the expressions, so it could choose ones whose hashes collide. After this many probes the result is unknown.
constexpr std::size_t most_probes = 64;
constexpr std::size_t most_expressions = std::size_t{1} << 24;

constexpr std::uint32_t nothing = UINT32_MAX;

std::size_t hash_of(std::span<const std::int64_t> words) {
  std::uint64_t hash = words.size();
  for (const std::int64_t word : words) {
    hash = (hash ^ static_cast<std::uint64_t>(word)) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29U;
  }
  return wrapped(hash);
}

}  // namespace

Polynomial Expressions::read(Size size) const {
  if (size.is_unknown()) return Polynomial::unknown();
  Polynomial result;
  if (size.is_number()) {
    Term constant;
    constant.coefficient = size.number();
    result.add(constant);
    return result;
  }
  const Words words = words_[in_memory(unknown_size.word() - size.word())];
  for (std::size_t at = 0; at < words.size();) {
    Term& term = result.terms[result.size++];
    term.coefficient = words[at++];
    term.degree = in_memory(words[at++]);
    for (std::size_t i = 0; i < term.degree; ++i) term.factors[i] = static_cast<std::uint32_t>(words[at++]);
  }
  terms_read_ += result.size;
  return result;
}

Size Expressions::intern(const Polynomial& polynomial) {
  if (!polynomial.is_known) return unknown_size;
  if (polynomial.size == 0) return 0;
  if (polynomial.size == 1 && polynomial.terms[0].degree == 0) {
    return number_or_unknown(polynomial.terms[0].coefficient);
  }
  std::int64_t words[most_terms * (2 + most_factors)];
  std::size_t count = 0;
  for (const Term& term : polynomial.values()) {
    words[count++] = term.coefficient;
    words[count++] = static_cast<std::int64_t>(term.degree);
    for (const std::uint32_t factor : term.values()) words[count++] = factor;
  }
  const std::uint32_t number = find_or_add({words, count});
  return number == nothing ? unknown_size : Size::of_word(unknown_size.word() - static_cast<std::int64_t>(number));
}

std::uint32_t Expressions::find_or_add(Words words) {
  constexpr std::size_t bytes_each = sizeof(Words) + 4 * sizeof(std::uint32_t) + sizeof(Factor);
  if (words_.empty() || 2 * words_.size() > table_.size()) {
    // The table is built again, and lists may grow to twice their size.
    if (words_.size() >= most_expressions || !require_memory(2 * words_.size() + 64, 2 * bytes_each)) return nothing;
    table_.assign(std::max<std::size_t>(128, 4 * words_.size()), nothing);
    if (words_.empty()) words_.emplace_back();  // number 0 stands for unknown_size
    for (std::uint32_t number = 1; number < words_.size(); ++number) {
      // An expression without a slot is never found again: an equal one gets another number.
      const std::size_t first = hash_of(words_[number]);
      for (std::size_t probe = 0; probe < most_probes; ++probe) {
        std::uint32_t& place = table_[(first + probe) % table_.size()];
        if (place != nothing) continue;
        place = number;
        break;
      }
    }
  }
  const std::size_t first = hash_of(words);
  for (std::size_t probe = 0; probe < most_probes; ++probe) {
    std::uint32_t& place = table_[(first + probe) % table_.size()];
    if (place == nothing) {
      if (!require_memory()) return nothing;
      const std::span<std::int64_t> kept = arena_.make_list<std::int64_t>(words.size());
      std::copy(words.begin(), words.end(), kept.begin());
      place = static_cast<std::uint32_t>(words_.size());
      words_.push_back(kept);
      return place;
    }
    const Words there = words_[place];
    if (std::equal(there.begin(), there.end(), words.begin(), words.end())) return place;
  }
  return nothing;
}

Size Expressions::of_factor(Kind kind, bool is_natural, Size a, Size b) {
  const bool has_operands = kind == Kind::quotient || kind == Kind::minimum;
  const Facts left = has_operands ? facts_of(a) : Facts{};
  const Facts right = has_operands ? facts_of(b) : Facts{};
  const std::uint32_t depth = 1 + std::max(left.depth, right.depth);
  if (depth > most_depth) return unknown_size;
  // Terms start with a coefficient and a degree; no term has this degree.
  const std::int64_t words[] = {a.word(), -1 - static_cast<std::int64_t>(kind), b.word()};
  const std::uint32_t key = find_or_add(words);
  if (key == nothing) return unknown_size;
  // A factor has the number of its words. Expressions leave gaps, which are cheap.
  if (factors_.size() <= key) {
    if (!require_memory(2 * (std::size_t{key} + 1), sizeof(Factor))) return unknown_size;
    factors_.resize(std::size_t{key} + 1);
  }
  if (factors_[key].facts.depth == 0) {
    std::span<std::uint32_t> parts;
    if (has_operands) {
      PartNumbers both = parts_of(a);
      both.add(parts_of(b).values());
      if (!require_memory()) return unknown_size;
      parts = arena_.make_list<std::uint32_t>(both.values().size());
      std::copy(both.begin(), both.end(), parts.begin());
    }
    factors_[key] = {kind, is_natural, {kind != Kind::fresh && left.is_named && right.is_named, depth}, a, b, parts};
  }
  Polynomial result;
  Term term;
  term.coefficient = 1;
  term.degree = 1;
  term.factors[0] = key;
  result.add(term);
  return intern(result);
}

Size Expressions::name(std::uint32_t number) { return of_factor(Kind::name, true, number, 0); }

Size Expressions::fresh() { return of_factor(Kind::fresh, true, static_cast<std::int64_t>(words_.size()), 0); }

Size Expressions::add(Size a, Size b) {
  Polynomial result = read(a);
  const Polynomial other = read(b);
  if (!other.is_known) return unknown_size;
  for (const Term& term : other.values()) result.add(term);
  return intern(result);
}

Size Expressions::subtract(Size a, Size b) { return add(a, multiply(b, -1)); }

Size Expressions::multiply(Size a, Size b) {
  const Polynomial left = read(a);
  const Polynomial right = read(b);
  if (!left.is_known || !right.is_known) return unknown_size;
  Polynomial result;
  for (const Term& one : left.values()) {
    for (const Term& other : right.values()) result.add(product(one, other));
  }
  return intern(result);
}

Size Expressions::floor_divide(Size a, Size b) {
  const Polynomial dividend = read(a);
  const Polynomial divisor = read(b);
  if (!dividend.is_known || !divisor.is_known || divisor.size == 0) return unknown_size;
  if (a == b) return 1;
  if (divisor.size == 1) {
    Polynomial quotient;
    bool is_exact = true;
    for (const Term& term : dividend.values()) {
      const std::optional<Term> part = exact_quotient(term, divisor.terms[0]);
      is_exact = is_exact && part.has_value();
      if (part) quotient.add(*part);
    }
    if (is_exact) return intern(quotient);
  }
  if (!b.is_number() || b.number() < 0) {
    if (a.is_number() && b.is_number()) return number_or_unknown(floor_quotient(a.number(), b.number()));
    return of_factor(Kind::quotient, is_natural(a) && is_natural(b), a, b);
  }
  // Multiples of the divisor are divided exactly.
  Polynomial quotient;
  Polynomial rest;
  for (const Term& term : dividend.values()) {
    Term whole = term;
    Term part = term;
    whole.coefficient = floor_quotient(term.coefficient, b.number());
    part.coefficient = term.coefficient - whole.coefficient * b.number();
    quotient.add(whole);
    rest.add(part);
  }
  const Size remainder = intern(rest);
  if (remainder.is_unknown()) return unknown_size;     // there is no memory for it
  if (remainder.is_number()) return intern(quotient);  // from 0 to below the divisor
  return add(intern(quotient), of_factor(Kind::quotient, is_natural(remainder), remainder, b));
}

Size Expressions::ceil_divide(Size a, Size b) { return multiply(floor_divide(multiply(a, -1), b), -1); }

Size Expressions::minimum(Size a, Size b) {
  if (a == b) return a;
  const Size difference = subtract(b, a);
  if (difference.is_unknown()) return unknown_size;
  if (is_natural(difference)) return a;
  if (is_natural(multiply(difference, -1))) return b;
  return of_factor(Kind::minimum, is_natural(a) && is_natural(b), a.word() < b.word() ? a : b, a.word() < b.word() ? b : a);
}

Size Expressions::maximum(Size a, Size b) { return subtract(add(a, b), minimum(a, b)); }

bool Expressions::stays_small(Size size, Dtype dtype) const {
  const bool is_int32 = dtype == Dtype::int32;
  if (is_int32 && needs_proof_) return false;
  const std::int64_t most_factor = std::int64_t{1} << (is_int32 ? 11 : 20);
  const std::int64_t most_constant = std::int64_t{1} << (is_int32 ? 28 : 60);
  const Polynomial polynomial = read(size);
  if (!polynomial.is_known) return false;
  return std::all_of(polynomial.values().begin(), polynomial.values().end(), [&](const Term& term) {
    const std::int64_t most = term.degree == 0 ? most_constant : most_factor;
    return term.coefficient >= -most && term.coefficient <= most;
  });
}

bool Expressions::is_natural(Size size) const {
  const Polynomial polynomial = read(size);
  if (!polynomial.is_known) return false;
  for (const Term& term : polynomial.values()) {
    if (term.coefficient < 0) return false;
    for (const std::uint32_t factor : term.values()) {
      if (!factors_[factor].is_natural) return false;
    }
  }
  return true;
}

Expressions::Facts Expressions::facts_of(Size size) const {
  Facts facts;
  const Polynomial polynomial = read(size);
  facts.is_named = polynomial.is_known;
  for (const Term& term : polynomial.values()) {
    for (const std::uint32_t number : term.values()) {
      const Facts& own = factors_[number].facts;
      facts = {facts.is_named && own.is_named, std::max(facts.depth, own.depth)};
    }
  }
  return facts;
}

void Expressions::append_named(Text& text, Size size, std::span<const std::string_view> names) const {
  const Polynomial polynomial = read(size);
  if (polynomial.size == 0) text.append("0");
  bool is_first = true;
  for (const Term& term : polynomial.values()) {
    if (text.is_full()) return;  // which bounds the time, too
    const bool is_negative = term.coefficient < 0;
    text.append(is_first ? (is_negative ? "-" : "") : (is_negative ? " - " : " + "));
    is_first = false;
    const std::int64_t magnitude = is_negative ? -term.coefficient : term.coefficient;
    const bool has_magnitude = magnitude != 1 || term.degree == 0;
    if (has_magnitude) text.append("{}", magnitude);
    for (std::size_t i = 0; i < term.degree; ++i) {
      if (has_magnitude || i > 0) text.append("*");
      const Factor& factor = factors_[term.factors[i]];
      if (factor.kind == Kind::name) {
        text.append("{}", names[in_memory(factor.a.number())]);
        continue;
      }
      text.append(factor.kind == Kind::minimum ? "min(" : "floor((");
      append_named(text, factor.a, names);
      text.append(factor.kind == Kind::minimum ? ", " : ")/(");
      append_named(text, factor.b, names);
      text.append(factor.kind == Kind::minimum ? ")" : "))");
    }
  }
}

bool Expressions::append(Text& text, Size size, std::span<const std::string_view> names) const {
  if (!is_named(size)) return false;
  append_named(text, size, names);
  return !text.is_full();
}

Expressions::Part Expressions::part(std::uint32_t number) const {
  const Factor& factor = factors_[number];
  if (factor.kind == Kind::name) return {number, static_cast<std::uint32_t>(factor.a.number())};
  return {number, {}};
}

std::optional<Expressions::Part> Expressions::part_of(Size size) const {
  if (size.is_number() || size.is_unknown()) return {};
  const Polynomial polynomial = read(size);
  const Term& term = polynomial.terms[0];
  if (polynomial.size != 1 || term.coefficient != 1 || term.degree != 1) return {};
  const Kind kind = factors_[term.factors[0]].kind;
  if (kind != Kind::name && kind != Kind::fresh) return {};
  return part(term.factors[0]);
}

std::optional<std::uint32_t> Expressions::name_of(Size size) const {
  const std::optional<Part> part = part_of(size);
  return part ? part->name : std::nullopt;
}

void Expressions::PartNumbers::add(std::span<const std::uint32_t> others) {
  std::uint32_t both[2 * most];
  const auto* end = std::set_union(begin(), this->end(), others.begin(), others.end(), both);
  count_ = std::min(most, in_memory(end - both));
  std::copy_n(both, count_, numbers_);
}

Expressions::PartNumbers Expressions::parts_of(Size size) const {
  PartNumbers parts;
  if (size.is_number() || size.is_unknown()) return parts;
  const Polynomial polynomial = read(size);
  for (const Term& term : polynomial.values()) {
    for (const std::uint32_t number : term.values()) {
      const Factor& factor = factors_[number];
      const bool is_part = factor.kind == Kind::name || factor.kind == Kind::fresh;
      parts.add(is_part ? std::span(&number, 1) : factor.parts);
    }
  }
  return parts;
}

}  // namespace broadloom
