// Writes declarations of values: ValueInfoProto. ONNX: onnx/onnx.proto.
#include "core/memory.h"
#include "onnx/fields.h"
#include "onnx/graph_writer.h"

namespace broadloom {

// Writes value_info of the values that the original file declares; with writes_value_info, of all values with a known type.
void GraphWriter::write_values(const Graph& graph) {
  for (std::size_t i = graph.order.size(); i-- > 0;) {
    const Node& node = *graph.order[i];
    for (std::size_t j = node.outputs.size(); j-- > 0;) {
      const Value* value = node.outputs[j];
      if (value == nullptr || value->is_output) continue;
      const bool is_declared = value->declared != nullptr && value->declared->record != 0;
      if (is_declared || options_.writes_value_info) {
        write_info(graph_proto::value_info, *value, is_declared ? value->declared : nullptr, Declared::corrected);
      }
    }
  }
}

// Writes a ValueInfoProto.
void GraphWriter::write_info(std::uint32_t field, const Value& value, const ValueInfo* info, Declared declared) {
  static const ValueInfo nothing;
  if (info == nullptr) info = &nothing;
  const std::int64_t end = to_.size();
  if (!has_memory(most_axes, sizeof(Dimension))) return;
  const Described known = describe(value, *info, declared);
  if (info == &nothing && known.dtype == Dtype::undefined) return;
  if (info->record != 0 && known.is_same && info->name == value.name) {
    copy(message_of(info->record));
    to_.message(field, end);
    return;
  }
  if (info->record != 0) {
    if (known.is_same) {
      copy_others(message_of(info->record), {value_info_proto::name});
    } else {
      copy_others(message_of(info->record), {value_info_proto::name, value_info_proto::type});
    }
  }
  if (info->record == 0 || !known.is_same) write_type(known);
  to_.name(value_info_proto::name, {value.name});
  to_.message(field, end);
}

void GraphWriter::write_type(const Described& known) {
  const std::int64_t type_end = to_.size();
  for (std::size_t i = known.dims.size(); i-- > 0;) {
    const Dimension& dim = known.dims[i];
    const std::int64_t dim_end = to_.size();
    if (dim.value >= 0) {
      to_.number(tensor_shape_proto::dim_value, dim.value);
    } else if (!dim.name.empty()) {
      to_.name(tensor_shape_proto::dim_param, {dim.name});
    }
    to_.message(tensor_shape_proto::dim, dim_end);
  }
  if (known.has_shape) to_.message(tensor_type_proto::shape, type_end);
  if (known.dtype != Dtype::undefined) to_.number(tensor_type_proto::elem_type, static_cast<std::int64_t>(known.dtype));
  to_.message(type_proto::tensor_type, type_end);
  to_.message(value_info_proto::type, type_end);
}

// Combines a declaration with shape inference. Inferred dims of a node's output replace declared ones.
GraphWriter::Described GraphWriter::describe(const Value& value, const ValueInfo& info, Declared declared) const {
  const bool is_open = value.input == nullptr && declared != Declared::kept;
  const Tensor* known = is_open && inference_.knows(value) ? &inference_[value] : nullptr;
  if (known != nullptr && (!known->is_ranked() || !info.is_tensor())) known = nullptr;
  const std::size_t rank = known != nullptr ? known->dims().size() : info.dims.size();
  Described result{std::vector<Dimension>(rank), known != nullptr || info.has_shape};
  std::vector<Dimension>& dims = result.dims;
  const FileRecord& record = model_.records.others[info.record];
  bool is_same = info.has_shape == result.has_shape && info.dims.size() == rank && !record.is_changed;
  std::size_t axis = 0;
  if (info.dims.size() == rank) {
    for (const Dimension& dim : info.dims) {
      dims[axis] = dim;
      dims[axis++].next = nullptr;
    }
  }
  const Tensor* claimed = known != nullptr && claims_[value].is_ranked() ? &claims_[value] : nullptr;
  if (claimed != nullptr && claimed->dims().size() != rank) claimed = nullptr;
  for (axis = 0; known != nullptr && axis < rank; ++axis) {
    const Size size = known->dims()[axis];
    // A number must be proved. A name only claims something, as those that were read do.
    const Size claim = claimed != nullptr ? claimed->dims()[axis] : unknown_size;
    const std::optional<std::uint32_t> name = claims_.expressions().name_of(claim);
    Dimension& dim = dims[axis];
    if (size.is_number()) {
      is_same = is_same && dim.value == size.number();
      dim = {nullptr, size.number(), {}, -1};
    } else if (name) {
      const std::string_view text = sizes_[*name];
      is_same = is_same && dim.value < 0 && dim.name == text;
      dim = {nullptr, -1, text, static_cast<std::int32_t>(*name)};
    } else if (dim.value >= 0 && claims_.expressions().is_named(claim) && declared == Declared::corrected) {
      // An expression of named sizes is not a number.
      is_same = false;
      dim = {};
    }
  }
  result.dtype = info.dtype != Dtype::undefined || !info.is_tensor() ? info.dtype : value.dtype;
  // An output that the file declares without a type stays so.
  const bool lacks_dtype = declared == Declared::corrected && result.dtype != Dtype::undefined && !record.has_dtype;
  result.is_same = is_same && result.dtype == info.dtype && !lacks_dtype;
  return result;
}

Status GraphWriter::declare_outputs() {
  for (GraphOutput& output : model_.graph->outputs) {
    BROADLOOM_CHECK(require_memory(most_axes, sizeof(Dimension)));
    ValueInfo& info = output.info;
    const Described known = describe(*output.value, info, Declared::improved);
    info.name = output.value->name;
    info.has_shape = known.has_shape;
    info.dtype = known.dtype;
    info.dims.clear();
    for (const Dimension& dim : known.dims) {
      Dimension& added = info.dims.add(model_.arena);
      added.value = dim.value;
      added.name = dim.name;
      added.symbol = dim.symbol;
    }
  }
  return {};
}

}  // namespace broadloom
