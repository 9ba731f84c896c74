// State that the readers of a model share.
#pragma once

#include <vector>

#include "graph/check/checker.h"
#include "graph/structure/model.h"
#include "onnx/model_reader.h"
#include "onnx/wire.h"

namespace broadloom {

// The opset imports of a model or of a function.
struct Imports {
  std::int64_t opset = 0;  // of the default domain; 0 if it is not imported
};

// A function of the model (onnx.proto, FunctionProto).
struct ModelFunction {
  std::string_view message;
  std::int64_t number = 0;  // in the model's list
  std::string_view name;
  Imports imports;
  mutable bool is_open = false;  // while a call of it is read
  mutable bool is_used = false;
};

// The uses of a domain of operators in a file.
struct Domain {
  bool is_imported = false;
  bool is_used = false;  // by a node
};

// The state of reading a model.
struct ReaderContext {
  ReaderContext(Source& its_source, Model& its_model, const ReadOptions& its_options)
      : source(its_source), model(its_model), options(its_options) {}

  Source& source;
  Model& model;
  const ReadOptions& options;
  Imports imports;
  NameMap<Domain> domains;
  NameIndex function_names;
  std::vector<ModelFunction> functions;  // by the numbers of their names
  NameIndex attributes;                  // bytes of attributes that are compared by them (Node::written_attributes)
  Arena texts;                           // for `attributes`
  double nodes = 0;                      // the nodes read so far, including the nodes of calls
  // How many nodes function calls may still add, and how many bytes of functions they may still read.
  std::size_t inlined_left = 0;
  std::uint64_t inlined_bytes_left = 0;
};

// The key of a function in function_names. The domain "ai.onnx" counts as "".
std::string_view function_key(Arena& arena, std::string_view domain, std::string_view name, std::string_view overload);

}  // namespace broadloom
