// The profile of a run: one row for each node of the file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/count.h"
#include "graph/structure/graph.h"

namespace broadloom {

class Profile {
 public:
  // Returns microseconds since an arbitrary time.
  using Clock = double (*)();

  struct Row {
    const Node* node;
    const Node* fused_into = nullptr;  // the node that computes it, in the last run
    double microseconds = 0;           // without the nodes in its subgraphs
    double bytes = 0;                  // of its outputs, in all calls; 0 for a view of an input
    std::uint32_t calls = 0;
  };

  // Has a row for each node of the graph in the file's order. Nodes of subgraphs follow their node.
  static Result<Profile> make(const Graph& graph, Clock clock);

  std::span<const Row> rows() const { return rows_; }

  // A node runs from `enter` to `leave`. `by` is the node that computes it, if fusion does not say so.
  struct Entry {
    double start;
    double inner;
  };
  Entry enter() { return {clock_(), std::exchange(inner_, 0)}; }
  void leave(const Node& node, const Entry& entry, double bytes, const Node* by = nullptr);

 private:
  explicit Profile(Clock clock) : clock_(clock) {}
  void add(const Graph& graph);
  Row& row(std::int64_t number) { return rows_[in_memory(number)]; }

  Clock clock_;
  double inner_ = 0;  // the time of nodes in subgraphs of the running node
  std::vector<Row> rows_;
  std::vector<std::int64_t> by_address_;  // numbers of rows, ordered by the addresses of their nodes
};

}  // namespace broadloom
