// Reads a ModelProto. ONNX: onnx/onnx.proto, docs/IR.md; the rules are those of onnx/checker.cc (check_model).
#include "core/text.h"
#include "model/graph_reader.h"

namespace broadloom {
namespace {

// Field numbers.
constexpr std::uint32_t f_ir_version = 1, f_graph = 7, f_opset_import = 8;

constexpr std::int64_t oldest_ir_version = 3;  // the first with opset imports

// Opset of the default domain; 0 when it is not imported.
struct ModelHeader {
  std::int64_t ir_version = 0;
  std::int64_t opset = 0;
};

void read_opset_import(WireReader message, ModelHeader& header) {
  std::string_view domain;
  std::int64_t version = 0;
  while (message.next()) {
    if (message.field() == 1) domain = message.name();
    if (message.field() == 2) version = message.integer();
  }
  if (!message.ok() || !is_default_domain(domain)) return;
  if (version < 1) message.fail("the opset of the default domain is {}", version);
  if (header.opset != 0 && header.opset != version) {
    message.fail("the default domain is imported twice, with opset {} and {}", header.opset, version);
  }
  header.opset = version;
}

ModelHeader read_model_header(WireReader& message) {
  ModelHeader header;
  std::int64_t imports = 0;
  std::int64_t graphs = 0;
  for (message.rewind(); message.next();) {
    switch (message.field()) {
      case f_ir_version: header.ir_version = message.integer(); break;
      case f_opset_import: read_opset_import({message, "opset_import", imports++}, header); break;
      case f_graph: ++graphs; break;
      default: break;
    }
  }
  if (message.ok() && header.ir_version < oldest_ir_version) {
    message.fail("ir_version is {}; 3 and later can be read", header.ir_version);
  }
  if (graphs != 1) message.fail("{} graphs, wanted one", graphs);
  return header;
}

}  // namespace

Result<std::unique_ptr<Model>> Model::load(std::string_view file, Unsupported unsupported) {
  Source source(file);
  WireReader message(source, "");
  const ModelHeader header = read_model_header(message);
  auto model = std::make_unique<Model>();
  model->opset = header.opset;
  for (message.rewind(); message.next();) {
    if (message.field() != f_graph) continue;
    WireReader graph(message, "graph");
    read_graph(graph, unsupported, *model);
  }
  if (!source.ok()) return Failure(source.error());
  return model;
}

}  // namespace broadloom
