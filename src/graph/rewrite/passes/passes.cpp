#include "graph/rewrite/passes/passes.h"

#include <algorithm>

#include "core/count.h"

namespace broadloom {

std::string_view name_of(PassKind kind) {
  constexpr std::string_view names[] = {"fold",   "shape",  "no-op", "merge",    "repeated", "if",
                                        "unroll", "inline", "dead",  "constant", "unused",   "fuse"};
  return names[place_of(kind)];
}

std::optional<Pass> find_pass(std::string_view name) {
  for (std::size_t i = 0; const PassInfo& pass : passes) {
    if (pass.name == name && pass.use != PassUse::runs) return static_cast<Pass>(i);
    ++i;
  }
  return {};
}

namespace {

constexpr std::size_t longest = 48;

// How many letters must be put in, left out or replaced to make one name of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::size_t, longest + 1> row;
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<Pass> near_pass(std::string_view name) {
  name = name.substr(0, longest);
  const auto nearest = std::min_element(passes.begin(), passes.end(), [&](const PassInfo& a, const PassInfo& b) {
    return distance(name, a.name) < distance(name, b.name);
  });
  if (nearest->use == PassUse::runs || distance(name, nearest->name) > std::max(name.size() / 4, std::size_t{1})) return {};
  return static_cast<Pass>(nearest - passes.begin());
}

}  // namespace broadloom
