// Reads a ModelProto. Follows the rules of onnx/checker.cc (check_model), but accepts some errors that real files have.
#include "onnx/model_reader.h"

#include <algorithm>
#include <vector>

#include "core/count.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/infer/shape_inference.h"
#include "onnx/fields.h"
#include "onnx/graph_reader.h"
#include "onnx/other_formats.h"
#include "onnx/training_info.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

constexpr std::int64_t first_ir_version_with_imports = 3;
constexpr std::int64_t newest_ir_version = 14;

// The limit of nodes that function calls add is this plus the file's size in bytes.
constexpr std::size_t least_inlined = 65536;
// The limit of bytes that function calls read again is this plus eight times the file's size.
constexpr std::uint64_t least_inlined_bytes = std::uint64_t{8} << 20U;

Import read_opset_import(WireReader message, Imports& imports) {
  Import import;
  while (message.next()) {
    if (message.field() == opset_id_proto::domain) import.domain = message.name();
    if (message.field() == opset_id_proto::version) import.version = message.integer();
  }
  if (!message.ok() || !is_default_domain(import.domain)) return import;
  import.domain = {};
  if (import.version < 1) message.fail("the opset of the default domain is {}", import.version);
  if (imports.opset != 0 && imports.opset != import.version) {
    message.fail("the default domain is imported twice, with opset {} and {}", imports.opset, import.version);
  }
  imports.opset = import.version;
  return import;
}

void read_property(WireReader& parent, Arena& arena, Chain<Property>& properties) {
  WireReader message(parent, "metadata_props", static_cast<std::int64_t>(properties.size()));
  Property& property = properties.add(arena);
  while (message.next()) {
    if (message.field() == string_string_entry_proto::key) property.key = arena.copy(message.bytes());
    if (message.field() == string_string_entry_proto::value) property.value = arena.copy(message.bytes());
  }
}

void read_metadata(WireReader& message, Model& model) {
  Arena& arena = model.arena;
  Metadata& metadata = model.metadata;
  for (message.rewind(); message.next();) {
    switch (message.field()) {
      case model_proto::producer_name: metadata.producer_name = arena.copy(message.bytes()); break;
      case model_proto::producer_version: metadata.producer_version = arena.copy(message.bytes()); break;
      case model_proto::domain: metadata.domain = arena.copy(message.bytes()); break;
      case model_proto::model_version: metadata.model_version = message.integer(); break;
      case model_proto::doc_string: metadata.doc = arena.copy(message.bytes()); break;
      case model_proto::metadata_props: read_property(message, arena, metadata.properties); break;
      case model_proto::opset_import: {
        Imports unused;
        const auto number = static_cast<std::int64_t>(metadata.imports.size());
        const Import read = read_opset_import({message, "opset_import", number}, unused);
        Import& import = metadata.imports.add(arena);
        import.domain = arena.copy(read.domain);
        import.version = read.version;
        break;
      }
      default: break;
    }
  }
}

void read_graph_metadata(WireReader& message, Model& model) {
  Metadata& metadata = model.metadata;
  for (message.rewind(); message.next();) {
    switch (message.field()) {
      case graph_proto::name: metadata.graph_name = model.arena.copy(message.bytes()); break;
      case graph_proto::doc_string: metadata.graph_doc = model.arena.copy(message.bytes()); break;
      case graph_proto::metadata_props: read_property(message, model.arena, metadata.graph_properties); break;
      default: break;
    }
  }
}

// Texts that a written file has as they are. It can only be read if they have the type of the schema.
void check_texts(WireReader& message, std::initializer_list<std::uint32_t> fields) {
  for (message.rewind(); message.next();) {
    if (std::find(fields.begin(), fields.end(), message.field()) != fields.end()) message.bytes();
  }
}

void read_header(WireReader& message, ReaderContext& context) {
  std::int64_t ir_version = 0;
  std::int64_t imports = 0;
  bool has_graph = false;
  for (message.rewind(); message.next();) {
    switch (message.field()) {
      case model_proto::ir_version: ir_version = message.integer(); break;
      case model_proto::model_version: message.integer(); break;
      case model_proto::opset_import: {
        const Import import = read_opset_import({message, "opset_import", imports++}, context.imports);
        context.domains.find_or_add(import.domain, context.model.arena).is_imported = true;
        break;
      }
      case model_proto::graph: has_graph = true; break;
      default: break;
    }
  }
  if (message.ok() && ir_version < 1) message.fail("ir_version is {}; 1 and later can be read", ir_version);
  if (!has_graph) message.fail("there is no graph: the file is cut off, or not a model");
  if (!message.ok()) return;
  context.model.ir_version = ir_version;
  if (ir_version < first_ir_version_with_imports) {
    context.model.warn("ir_version {} is older than opset imports", ir_version);
    if (imports == 0) {
      context.imports.opset = 1;
      // Written files have a newer ir_version, which needs opset imports.
      context.model.added_imports.add(context.model.arena).version = 1;
    }
  }
  if (ir_version > newest_ir_version) {
    context.model.warn("ir_version {} is newer than {}, the newest known", ir_version, newest_ir_version);
  }
}

void read_function(WireReader& message, std::int64_t number, ReaderContext& context) {
  ModelFunction function;
  std::string_view domain;
  std::string_view overload;
  std::string_view doc;
  std::int64_t imports = 0;
  while (message.next()) {
    switch (message.field()) {
      case function_proto::name: function.name = message.name(); break;
      case function_proto::domain: domain = message.name(); break;
      case function_proto::doc_string: doc = message.bytes(); break;
      case function_proto::overload: overload = message.name(); break;
      case function_proto::opset_import: {
        read_opset_import({message, "opset_import", imports++}, function.imports);
        break;
      }
      default: break;
    }
  }
  if (!message.ok()) return;
  // A function without imports has the model's.
  if (imports == 0) function.imports = context.imports;
  function.message = message.whole();
  function.number = number;
  Arena& arena = context.model.arena;
  context.function_names.find_or_add(function_key(arena, domain, function.name, overload), arena);
  if (context.function_names.size() == context.functions.size()) {
    return message.fail("the function {} is defined twice", quoted(function.name));
  }
  std::vector<ModelFunction>& list = context.functions;
  if (list.size() == list.capacity()) {
    if (Status memory = require_memory(2 * list.size() + 8, sizeof(ModelFunction)); !memory)
      return message.fail(memory.error());
  }
  list.push_back(function);
  FunctionInfo& info = context.model.metadata.functions.add(arena);
  info.domain = arena.copy(domain);
  info.name = arena.copy(function.name);
  info.overload = arena.copy(overload);
  info.doc = arena.copy(doc);
}

void warn_of_imports(ReaderContext& context) {
  context.domains.for_each([&](const auto& domain) {
    if (domain.text.empty()) return;
    if (!domain.is_used) {
      context.model.warn("the domain {} is imported, but no node is of it", quoted(domain.text));
    } else if (!domain.is_imported) {
      context.model.warn("the domain {} has nodes, but is not imported", quoted(domain.text));
    }
  });
}

// Whether a node of a function means the same under the model's opset.
bool fits_opset(const Node& node, std::int64_t opset) {
  // An Identity that the reader added (add_identity) fits every opset.
  if (node.caller == nullptr || node.is_changed || node.opset == opset || !is_default_domain(node.domain)) return true;
  if (!node.is_checked()) return false;
  const Result<const OperatorVersion*> version = select_version(*node.op, opset);
  return version && *version == node.version;
}

// Adds the imports of functions that were inlined to the model's. Gives, by number, the functions that contradict these
// imports, or an empty list if none does.
Result<std::vector<char>> add_imports(ReaderContext& context) {
  Model& model = context.model;
  NameIndex versions;
  std::vector<std::int64_t> known;
  const auto add = [&](const Import& import, bool is_new) {
    const std::string_view domain = is_default_domain(import.domain) ? "" : import.domain;
    const std::size_t number = versions.find_or_add(domain, model.arena).number;
    if (number < known.size()) return known[number] == import.version || domain.empty();
    if (!require_memory()) return false;
    known.push_back(import.version);
    if (is_new) {
      Import& added = model.added_imports.add(model.arena);
      added.domain = domain;
      added.version = import.version;
      if (domain.empty()) model.opset = import.version;
    }
    return true;
  };
  const auto add_all = [&](WireReader message, std::uint32_t field, bool is_new) {
    bool fits = true;
    while (message.next()) {
      if (message.field() != field) continue;
      Imports one;
      fits = add(read_opset_import({message, "opset_import", 0}, one), is_new) && fits;
    }
    return fits;
  };
  std::size_t count = 0;  // of functions; those that share a name with another are not in the list
  for (const ModelFunction& function : context.functions) {
    count = std::max(count, in_memory(function.number) + 1);
  }
  BROADLOOM_TRY(unfit, allocate_vector<char>(count));
  // Where the model's own imports contradict each other, no function can be compared with them.
  if (!add_all(WireReader(context.source, ""), model_proto::opset_import, false)) std::fill(unfit.begin(), unfit.end(), 1);
  for (const ModelFunction& function : context.functions) {
    if (!function.is_used) continue;
    WireReader message(context.source, function.message, "functions", function.number);
    if (!add_all(message, function_proto::opset_import, true)) unfit[in_memory(function.number)] = 1;
  }
  for (const Graph& graph : model.graphs()) {
    for (const Node& node : graph.nodes) {
      if (!fits_opset(node, model.opset)) unfit[in_memory(model.records.nodes[node.caller->record].function)] = 1;
    }
  }
  if (std::find(unfit.begin(), unfit.end(), 1) == unfit.end()) unfit.clear();
  return unfit;
}

}  // namespace

Result<std::unique_ptr<Model>> read_model(Source& source, const ReadOptions& options) {
  BROADLOOM_CHECK(require_memory());
  auto model = std::make_unique<Model>();
  ReaderContext context(source, *model, options);
  context.inlined_left = least_inlined + source.size();
  context.inlined_bytes_left = least_inlined_bytes + 8 * std::uint64_t{source.size()};
  WireReader message(source, "");
  read_header(message, context);
  std::int64_t functions = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != model_proto::functions) continue;
    WireReader function(message, "functions", functions);
    read_function(function, functions++, context);
  }
  model->opset = context.imports.opset;
  if (options.keeps_messages) {
    using namespace model_proto;
    check_texts(message, {producer_name, producer_version, domain, doc_string});
  } else {
    read_metadata(message, *model);
  }
  for (message.rewind(); message.next();) {
    if (message.field() != model_proto::graph) continue;
    WireReader graph(message, "graph");
    read_graph(graph, context);
    if (options.keeps_messages) {
      check_texts(graph, {graph_proto::name, graph_proto::doc_string});
      read_named_properties(graph, graph_proto::metadata_props, *model);
    } else {
      read_graph_metadata(graph, *model);
    }
    break;
  }
  if (options.keeps_messages) read_named_properties(message, model_proto::metadata_props, *model);
  std::int64_t trainings = 0;
  for (message.rewind(); options.keeps_messages && message.next();) {
    if (message.field() != model_proto::training_info) continue;
    WireReader training(message, "training_info", trainings++);
    read_training_info(training, *model);
  }
  if (!source.ok()) return Failure(in_other_format(source.error(), source.bytes(), Message::model));
  if (options.keeps_messages && !options.keeps_calls) {
    BROADLOOM_TRY(unfit, add_imports(context));
    if (!unfit.empty()) {
      // Errors in inlined calls refuse the file, although the calls will be kept.
      BROADLOOM_CHECK(check_model(*model, options.unsupported));
      ReadOptions again = options;
      again.kept_functions = unfit;
      // Without these functions the imports contradict no other one; if they did, all calls would stay.
      again.keeps_calls = !options.kept_functions.empty();
      return read_model(source, again);
    }
  }
  model->has_functions = !context.functions.empty();
  warn_of_imports(context);
  BROADLOOM_CHECK(check_model(*model, options.unsupported));
  if (options.keeps_messages) return model;
  BROADLOOM_CHECK(warn_of_contradictions(*model));
  return model;
}

}  // namespace broadloom
