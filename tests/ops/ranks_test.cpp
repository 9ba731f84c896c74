// Inputs of any ranks: an operator checks a rank before it asks for a dim. Indices of dims are checked in tests.
#include <algorithm>
#include <vector>

#include "ops/operators.h"
#include "support/calls.h"

namespace broadloom::test::ranks_test {
namespace {

constexpr std::size_t most_rank = 5;

Dtype type_for(const OperatorVersion& version, const Parameter& parameter) {
  const TypeSet types = version.types_of(parameter);
  if (types.contains(Dtype::float32)) return Dtype::float32;
  for (std::uint32_t id = 1; id < 32; ++id) {
    if (types.contains(static_cast<Dtype>(id))) return static_cast<Dtype>(id);
  }
  return Dtype::undefined;
}

// Numbers that an operator asks for.
std::vector<Given> required_numbers(const OperatorVersion& version) {
  std::vector<Given> given;
  for (const AttributeSpec& spec : version.attributes()) {
    if (spec.required && spec.type == AttributeType::INT) given.push_back({spec.name, spec.type, std::int64_t{1}});
    if (spec.required && spec.type == AttributeType::FLOAT) given.push_back({spec.name, spec.type, 1.0F});
  }
  return given;
}

// Calls an operator with inputs of one rank, except one of another rank. Returns the number of results.
int call_with_ranks(const Operator& op) {
  const OperatorVersion& version = op.versions.back();
  const std::vector<Given> given = required_numbers(version);
  const std::span<const Parameter> parameters = version.inputs();
  int results = 0;
  for (std::size_t rank = 0; rank <= most_rank; ++rank) {
    for (std::size_t other = 0; other <= most_rank; ++other) {
      for (std::size_t changed = 0; changed < parameters.size(); ++changed) {
        for (const bool has_all : {false, true}) {
          std::vector<Tensor> tensors;
          for (const Parameter& parameter : parameters)
            tensors.push_back(zeros(type_for(version, parameter), SymbolicDims(tensors.size() == changed ? other : rank, 1)));
          std::vector<const Tensor*> inputs;
          for (std::size_t i = 0; i < parameters.size(); ++i) {
            const bool is_there = has_all || i == changed || parameters[i].option != Option::Optional;
            inputs.push_back(is_there ? &tensors[i] : nullptr);
          }
          SCOPED_TRACE(std::to_string(rank) + ", input " + std::to_string(changed) + ": " + std::to_string(other));
          if (call_all(op, inputs, given)) ++results;
        }
      }
    }
  }
  return results;
}

TEST(Ranks, InputsOfAnyRankGiveAnErrorOrAResult) {
  int running = 0;
  for (const auto operators : {all_operators(), microsoft_operators()}) {
    for (const Operator* op : operators) {
      SCOPED_TRACE(op->name);
      if (call_with_ranks(*op) > 0) ++running;
    }
  }
  EXPECT_GT(running, 150);
}

}  // namespace
}  // namespace broadloom::test::ranks_test
