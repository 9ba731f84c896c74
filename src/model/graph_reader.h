// GraphProto. ONNX: onnx/onnx.proto, docs/IR.md.
#pragma once

#include "model/model.h"
#include "model/wire.h"

namespace broadloom {

// Whether a domain is that of ONNX's own operators.
inline bool is_default_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

// Reads the graph of `model`, whose opset is known. Errors are the message's source's; after one, the model is not to be used.
void read_graph(WireReader& graph, Unsupported unsupported, Model& model);

}  // namespace broadloom
