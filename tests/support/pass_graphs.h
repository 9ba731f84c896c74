// Graphs for several tests of passes.
#pragma once

#include <cmath>

#include "support/simplified.h"

namespace broadloom::test {

// A node from a to b, between other nodes: a = x + x, y = b + b.
inline Graph between(const Proto& one, const std::vector<Proto>& initializers = {},
                     const Proto& x = value_info("x", Dtype::float32, {"n", 3})) {
  return through({node("Add", {"x", "x"}, {"a"}), one, node("Add", {"b", "b"}, {"y"})}, initializers, x);
}
inline constexpr const char* without = "a = Add(x, x); y = Add(a, a)";

inline Proto scalar(float value, std::string_view name) { return float_tensor({}, {value}, name); }

inline const Tensor six = floats({2, 3}, {1, -2, 3, -0.0F, 5, INFINITY});

// Nodes that compute the sizes n and m of x.
inline std::vector<Proto> sizes_of_x() {
  return {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "zero"}, {"n"}, {int_of("axis", 0)}),
          node("Gather", {"s", "one"}, {"m"}, {int_of("axis", 0)})};
}
inline const std::vector<Proto> places{int64_tensor({1}, {0}, "zero"), int64_tensor({1}, {1}, "one")};

inline Proto boolean(bool value, std::string_view name) {
  return raw_tensor(Dtype::boolean, {}, std::string(1, value ? '\1' : '\0'), name);
}
inline Proto branches(const Names& outputs, const Graph& then_branch, const Graph& else_branch, const char* condition = "c") {
  return node("If", {condition}, outputs, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)});
}

inline const Tensor two = floats({2}, {1, -2});
inline const std::vector<Proto> x_and_flag{value_info("x", Dtype::float32, {2}), value_info("c", Dtype::boolean, {})};

// A Loop that doubles x `trips` times to y. s has the results of all iterations.
inline Graph doubling(std::int64_t trips, const std::vector<Proto>& more = {}, const char* condition = "") {
  std::vector<Proto> nodes{node("Add", {"v", "v"}, {"w"}), node("Identity", {"go"}, {"on"}), node("Identity", {"w"}, {"item"})};
  nodes.insert(nodes.end(), more.begin(), more.end());
  const Graph body{nodes,
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("on"), any("w"), value_info("item", Dtype::float32, {2})}};
  return {{node("Loop", {"trips", condition, "x"}, {"y", "s"}, {graph_of("body", body)})},
          x_and_flag,
          {any("y"), any("s")},
          {int64_tensor({}, {trips}, "trips")}};
}

}  // namespace broadloom::test
