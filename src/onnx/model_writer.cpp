#include "onnx/model_writer.h"

#include <algorithm>

#include "core/memory.h"
#include "onnx/graph_writer.h"
#include "onnx/namer.h"
#include "onnx/split_file.h"

namespace broadloom {

Result<std::int64_t> count_bytes(Model& model, const ShapeInference& inference, Source& source) {
  Namer names(model);
  BROADLOOM_CHECK(names.run());
  BROADLOOM_TRY(sizes, size_names(model));
  std::vector<Hole> holes;
  WireWriter counter(nullptr);
  GraphWriter(model, inference, sizes, source, {}, counter, holes).write();
  names.undo();
  if (!counter.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  return counter.size();
}

Result<WrittenFile> write_model(Model& model, const ShapeInference& inference, Source& source, const WriteOptions& options) {
  BROADLOOM_CHECK(Namer(model).run());
  BROADLOOM_TRY(sizes, size_names(model));
  WrittenFile file;
  WireWriter counter(nullptr);
  GraphWriter(model, inference, sizes, source, options, counter, file.holes).write();
  if (!counter.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  // The limit of protobuf.
  if (counter.size() > INT32_MAX) {
    return fail(Code::InvalidModel, "the file would have {} bytes; 2147483647 are the most", counter.size());
  }
  BROADLOOM_TRY(structure, make_tensor(Dtype::uint8, {counter.written_bytes()}));
  BROADLOOM_CHECK(require_memory(static_cast<std::size_t>(counter.size() / static_cast<std::int64_t>(SplitFile::usual_hole)),
                                 2 * sizeof(Hole)));
  WireWriter writer(structure.data() + counter.written_bytes());
  GraphWriter(model, inference, sizes, source, options, writer, file.holes).write();
  if (!writer.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  // They were counted from the end.
  std::reverse(file.holes.begin(), file.holes.end());
  for (Hole& hole : file.holes) {
    hole.at = static_cast<std::size_t>(counter.written_bytes()) - hole.at;
    hole.offset = static_cast<std::size_t>(counter.size()) - hole.offset;
  }
  file.structure = std::move(structure);
  file.bytes = counter.size();
  GraphWriter(model, inference, sizes, source, options, counter, file.holes).declare_outputs();
  return file;
}

}  // namespace broadloom
