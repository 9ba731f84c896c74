#include "graph/execute/profile.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/memory.h"
#include "graph/fusion/fusion.h"
#include "kernels/order/order.h"

namespace broadloom {
namespace {

std::size_t nodes_of(const Graph& graph) {
  std::size_t count = graph.nodes.size();
  for (const Node& node : graph.nodes) {
    for (const Subgraph& subgraph : node.graphs) count += nodes_of(*subgraph.graph);
  }
  return count;
}

const Node& original(const Node& node) { return node.origin == nullptr ? node : *node.origin; }

}  // namespace

Result<Profile> Profile::make(const Graph& graph, Clock clock) {
  Profile profile(clock);
  const std::size_t count = nodes_of(graph);
  BROADLOOM_CHECK(require_memory(count, sizeof(Row) + sizeof(std::int64_t)));
  profile.rows_.reserve(count);
  profile.add(graph);
  profile.by_address_.resize(count);
  std::iota(profile.by_address_.begin(), profile.by_address_.end(), 0);
  sort(profile.by_address_,
       [&](std::int64_t a, std::int64_t b) { return std::less<>()(profile.row(a).node, profile.row(b).node); });
  return profile;
}

void Profile::add(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    rows_.push_back({&node});
    for (const Subgraph& subgraph : node.graphs) add(*subgraph.graph);
  }
}

void Profile::leave(const Node& node, const Entry& entry, double bytes, const Node* by) {
  const double taken = clock_() - entry.start;
  const auto place =
      std::lower_bound(by_address_.begin(), by_address_.end(), &original(node),
                       [&](std::int64_t number, const Node* wanted) { return std::less<>()(row(number).node, wanted); });
  Row& found = row(*place);
  const FusedNode& fused = fusion_of(node);
  if (by == nullptr && fused.reader != nullptr) by = fused.root;
  found.fused_into = by == nullptr ? nullptr : &original(*by);
  found.microseconds += std::max(taken - inner_, 0.0);
  found.bytes += bytes;
  // Not what an optimized copy has in place of the node, such as an Identity for each output of an If that is decided.
  if (node.op == original(node).op) ++found.calls;
  inner_ = entry.inner + taken;
}

}  // namespace broadloom
