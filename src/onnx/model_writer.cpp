#include "onnx/model_writer.h"

#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "onnx/graph_writer.h"
#include "onnx/namer.h"
#include "onnx/split_file.h"

namespace broadloom {

Result<std::int64_t> count_bytes(Model& model, const ShapeInference& inference, Source& source) {
  Namer names(model);
  BROADLOOM_CHECK(names.run());
  BROADLOOM_TRY(sizes, size_names(model));
  std::vector<ExternalSpan> spans;
  WireWriter counter(nullptr);
  GraphWriter(model, inference, inference, sizes, source, {}, counter, spans).write();
  names.undo();
  if (!counter.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  return counter.size();
}

Result<WrittenFile> write_model(Model& model, const ShapeInference& inference, const ShapeInference& claims, Source& source,
                                const WriteOptions& options) {
  BROADLOOM_CHECK(Namer(model).run());
  BROADLOOM_TRY(sizes, size_names(model));
  WrittenFile file;
  WireWriter counter(nullptr);
  GraphWriter(model, inference, claims, sizes, source, options, counter, file.spans).write();
  if (!counter.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  // Protobuf's limit.
  if (counter.size() > INT32_MAX) {
    return fail(Code::InvalidModel, "the file would have {} bytes; 2147483647 are the most", counter.size());
  }
  BROADLOOM_TRY(structure, make_tensor(Dtype::uint8, {counter.written_bytes()}));
  BROADLOOM_CHECK(require_memory(in_memory(counter.size() / static_cast<std::int64_t>(SplitFile::default_min_span)),
                                 2 * sizeof(ExternalSpan)));
  WireWriter writer(structure.data() + counter.written_bytes());
  GraphWriter(model, inference, claims, sizes, source, options, writer, file.spans).write();
  if (!writer.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  // The writer counts `at` and `offset` from the end of the file.
  std::reverse(file.spans.begin(), file.spans.end());
  for (ExternalSpan& span : file.spans) {
    span.at = in_memory(counter.written_bytes()) - span.at;
    span.offset = in_memory(counter.size()) - span.offset;
  }
  file.structure = std::move(structure);
  file.bytes = counter.size();
  BROADLOOM_CHECK(GraphWriter(model, inference, claims, sizes, source, options, counter, file.spans).declare_outputs());
  return file;
}

}  // namespace broadloom
