#include "ops/checks.h"

#include "core/text.h"

namespace broadloom {

Status refuse_input(const Call& call, std::size_t input) {
  if (call.input(input) == nullptr) return {};
  return fail(Code::InvalidArgument, "{} is not supported", quoted(call.version.inputs()[input].name));
}

Status want_rank(const Call& call, std::size_t input, std::size_t rank) {
  const Tensor* tensor = call.input(input);
  if (tensor == nullptr || !tensor->is_ranked() || tensor->dims().size() == rank) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted {} ax{i}s", quoted(call.version.inputs()[input].name),
              tensor->dims().values(), rank);
}

Status want_dims(const Call& call, std::size_t input, std::initializer_list<Size> wanted, bool broadcasts) {
  const Tensor* tensor = call.input(input);
  if (tensor == nullptr || !tensor->is_ranked()) return {};
  const SymbolicDims& dims = tensor->dims();
  bool are_same = dims.size() == wanted.size();
  for (std::size_t i = 0; are_same && i < dims.size(); ++i) {
    are_same = !differ(dims[i], wanted.begin()[i]) || (broadcasts && dims[i] == 1 && i + 1 < dims.size());
  }
  if (are_same) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted {}", quoted(call.version.inputs()[input].name), dims.values(),
              std::span(wanted.begin(), wanted.size()));
}

}  // namespace broadloom
