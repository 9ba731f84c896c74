// Field numbers of ONNX's protobuf messages. ONNX: onnx/onnx.proto.
#pragma once

#include <cstdint>

namespace broadloom {

namespace model_proto {
inline constexpr std::uint32_t ir_version = 1, producer_name = 2, producer_version = 3, domain = 4, model_version = 5,
                               doc_string = 6, graph = 7, opset_import = 8, metadata_props = 14, training_info = 20,
                               functions = 25;
}
namespace graph_proto {
inline constexpr std::uint32_t node = 1, name = 2, initializer = 5, doc_string = 10, input = 11, output = 12, value_info = 13,
                               quantization_annotation = 14, sparse_initializer = 15, metadata_props = 16;
}
namespace node_proto {
inline constexpr std::uint32_t input = 1, output = 2, name = 3, op_type = 4, attribute = 5, doc_string = 6, domain = 7,
                               overload = 8;
}
namespace attribute_proto {
inline constexpr std::uint32_t name = 1, tensor = 5, graph = 6, graphs = 11, ref_attr_name = 21, sparse_tensor = 22;
}
namespace function_proto {
inline constexpr std::uint32_t name = 1, input = 4, output = 5, node = 7, doc_string = 8, opset_import = 9, domain = 10,
                               default_attribute = 11, overload = 13;
}
namespace opset_id_proto {
inline constexpr std::uint32_t domain = 1, version = 2;
}
namespace value_info_proto {
inline constexpr std::uint32_t name = 1, type = 2;
}
namespace type_proto {
inline constexpr std::uint32_t tensor_type = 1;
}
namespace tensor_type_proto {
inline constexpr std::uint32_t elem_type = 1, shape = 2;
}
namespace tensor_shape_proto {
inline constexpr std::uint32_t dim = 1, dim_value = 1, dim_param = 2;
}
namespace tensor_proto {
inline constexpr std::uint32_t dims = 1, data_type = 2, name = 8, raw_data = 9;
}
namespace sparse_tensor_proto {
inline constexpr std::uint32_t values = 1;
}
namespace tensor_annotation {
inline constexpr std::uint32_t tensor_name = 1, quant_parameter_tensor_names = 2;
}
namespace string_string_entry_proto {
inline constexpr std::uint32_t key = 1, value = 2;
}
namespace training_info_proto {
inline constexpr std::uint32_t initialization = 1, algorithm = 2;
}

}  // namespace broadloom
