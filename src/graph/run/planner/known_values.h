// Facts that a planner knows of the values of a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory.h"
#include "graph/run/plan.h"

namespace broadloom {

// Numbers of the places in a frame that somebody meets, in the order in which these are met. A graph within a model has few of
// its places.
class PlaceNumbers {
 public:
  // Forgets all numbers.
  Status begin(std::size_t frame_size) {
    if (entries_.size() < frame_size) {
      BROADLOOM_CHECK(require_memory(frame_size, sizeof(Entry)));
      entries_.resize(frame_size);
    }
    count_ = 0;
    if (++round_ == 0) {
      entries_.assign(entries_.size(), {});
      round_ = 1;
    }
    return {};
  }
  // How many places have a number: a place that has none gets this one.
  std::uint32_t count() const { return count_; }
  std::uint32_t number_of(std::size_t place) {
    Entry& entry = entries_[place];
    if (entry.round != round_) entry = {round_, count_++};
    return entry.number;
  }

 private:
  struct Entry {
    std::uint32_t round = 0;
    std::uint32_t number = 0;
  };
  std::vector<Entry> entries_;  // by place; those of earlier rounds are void
  std::uint32_t round_ = 0;
  std::uint32_t count_ = 0;
};

struct Known {
  Tensor tensor;
  PlanRoot* root = nullptr;
  bool is_defined = false;
  bool is_fixed = false;        // its elements are equal in every plan
  bool is_alone = false;        // nobody outside of the plan reads its storage, except where it asks for the bytes
  const Value* base = nullptr;  // the constant that it is a view of
  std::int64_t reads = -1;      // how often it, or a view of it, is read where it lies; less than 0: not counted yet

  // Whether it has elements without a run.
  bool is_constant() const { return root == nullptr && tensor.has_elements(); }
};

class KnownValues {
 public:
  KnownValues(PlaceNumbers& numbers, bool has_frame) : numbers_(numbers), has_frame_(has_frame) {}

  // `most` values will be asked for at most: what is known of them stays where it is.
  Status begin(std::size_t frame_size, std::size_t most) {
    BROADLOOM_CHECK(require_memory(most, sizeof(Known)));
    known_.reserve(most);
    return numbers_.begin(frame_size);
  }
  Known& entry(const Value& value) {
    const std::uint32_t number = numbers_.number_of(value.place);
    if (number == known_.size()) known_.emplace_back();
    return known_[number];
  }
  // The entry of a value, which the model's constants have without being defined.
  Known& operator[](const Value& value);
  void define(const Value& value, Tensor tensor, PlanRoot* root) {
    entry(value) = {std::move(tensor), root, true};
    defined_.push_back(&value);
  }
  const std::vector<const Value*>& defined() const { return defined_; }
  // Whether the graph is within another one, or part of it has run before.
  bool has_frame() const { return has_frame_; }

 private:
  PlaceNumbers& numbers_;
  bool has_frame_;
  std::vector<Known> known_;  // by number
  std::vector<const Value*> defined_;
};

}  // namespace broadloom
