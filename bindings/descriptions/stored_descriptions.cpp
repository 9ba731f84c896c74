// Descriptions of what a file holds besides its nodes: attributes, initializers, metadata. Elements stay where they are: a
// description has their address.
#include <cmath>

#include "core/strings.h"
#include "core/text.h"
#include "descriptions/json_page.h"
#include "functions.h"
#include "models.h"
#include "ops/call/dense.h"
#include "tensors.h"

namespace broadloom {

void write_type(JsonWriter& to, const Tensor& tensor) {
  to.field("type", info(tensor.dtype).name);
  to.list("dims", tensor.run_dims(), [&](std::int64_t size) { to.value(size); });
}

namespace {

// Longer lists are described by their address.
constexpr std::int64_t longest_list = 1024;

void write_address(JsonWriter& to, std::string_view key, const void* what) {
  to.field(key, reinterpret_cast<std::uintptr_t>(what));
}

void write_stored(JsonWriter& to, const Tensor& tensor) {
  to.begin_object();
  write_type(to, tensor);
  write_address(to, "address", tensor.has_elements() ? &tensor : nullptr);
  to.end_object();
}

// JSON has no NaN and no infinities: they are texts.
void write_float(JsonWriter& to, float number) {
  if (number - number == 0) return to.value(double{number});
  to.value(number != number ? "NaN" : number > 0 ? "Infinity" : "-Infinity");
}

void write_list(JsonWriter& to, const Tensor& list) {
  to.begin_list();
  for (std::int64_t i = 0; i < list.count(); ++i) {
    if (list.dtype == Dtype::string) {
      to.value(string_at(list, reinterpret_cast<const StringRef*>(list.data())[i]));
    } else if (list.dtype == Dtype::int64) {
      to.value(reinterpret_cast<const std::int64_t*>(list.data())[i]);
    } else {
      write_float(to, reinterpret_cast<const float*>(list.data())[i]);
    }
  }
  to.end_list();
}

// A Constant has given it to its initializer.
const SparseTensor* sparse_of(const Node& node, const AttributeValue& value) {
  if (node.is_constant) return node.outputs[0] == nullptr ? nullptr : node.outputs[0]->initializer->sparse.get();
  return value.sparse.empty() ? nullptr : &value.sparse.front();
}

void write_sparse(JsonWriter& to, const SparseTensor* sparse) {
  if (sparse == nullptr) return to.value(nullptr);
  to.begin_object();
  to.key("values");
  write_stored(to, sparse->values);
  to.key("indices");
  sparse->indices.dtype == Dtype::undefined ? to.value(nullptr) : write_stored(to, sparse->indices);
  to.list("dims", sparse->dims, [&](std::int64_t size) { to.value(size); });
  to.end_object();
}

void write_value(JsonWriter& to, const Node& node, const Attribute& attribute) {
  const AttributeValue& value = attribute.value;
  const Tensor& tensor = value.tensor;
  switch (attribute.spec->type) {
    case AttributeType::INT: return to.value(value.integer);
    case AttributeType::FLOAT: return write_float(to, value.number);
    case AttributeType::STRING:
      return to.value(tensor.has_elements() ? string_at(tensor, *reinterpret_cast<const StringRef*>(tensor.data()))
                                            : std::string_view());
    case AttributeType::INTS:
    case AttributeType::FLOATS:
    case AttributeType::STRINGS:
      return tensor.count() <= longest_list && is_dense(tensor) ? write_list(to, tensor) : write_stored(to, tensor);
    case AttributeType::TENSOR: return write_stored(to, tensor);
    case AttributeType::SPARSE_TENSOR: return write_sparse(to, sparse_of(node, value));
    default: return to.value(nullptr);
  }
}

}  // namespace

void write_attributes(JsonWriter& to, const Node& node) {
  to.begin_list();
  const auto begin = [&](std::string_view name, AttributeType type) {
    to.begin_object();
    to.field("name", name);
    to.field("kind", name_of(type));
    to.key("value");
  };
  for (const Attribute& one : node.attributes) {
    if (node.graph(one.spec->name) != nullptr) continue;
    begin(one.spec->name, one.spec->type);
    write_value(to, node, one);
    to.end_object();
  }
  for (const Subgraph& one : node.graphs) {
    begin(one.attribute, AttributeType::GRAPH);
    to.begin_object();
    write_inputs_and_outputs(to, *one.graph);
    to.end_object();
    to.end_object();
  }
  to.end_list();
}

namespace {

void write_initializer(JsonWriter& to, const Graph& graph, const Initializer& initializer) {
  const Tensor& tensor = initializer.tensor;
  to.begin_object();
  write_address(to, "address", &initializer);
  to.field("name", initializer.value->name);
  write_type(to, tensor);
  // A double: sparse tensors, and those in files that are not there, may be larger than any memory.
  to.field("bytes", std::ceil(static_cast<double>(count_of(tensor.dims())) * info(tensor.dtype).bits / 8));
  to.field("field", initializer.sparse != nullptr ? std::string_view("sparse_initializer") : initializer.field);
  to.key("external");
  if (initializer.external == nullptr) {
    to.value(nullptr);
  } else {
    to.begin_object();
    to.field("location", initializer.external->location);
    to.field("offset", initializer.external->offset);
    to.key("length");
    initializer.external->length < 0 ? to.value(nullptr) : to.value(initializer.external->length);
    to.end_object();
  }
  Text place;
  if (graph.outer != nullptr) {
    append_place(place, *graph.outer, *graph.owner);
    place.append(".{}", graph.attribute);
  }
  to.field("graph", place.view());
  to.end_object();
}

void write_properties(JsonWriter& to, std::string_view key, const Chain<Property>& properties) {
  to.list(key, properties, [&](const Property& property) {
    to.begin_list();
    to.value(property.key);
    to.value(property.value);
    to.end_list();
  });
}

void write_metadata(JsonWriter& to, const Model& model) {
  const Metadata& metadata = model.metadata;
  to.begin_object();
  to.field("irVersion", model.ir_version);
  to.list("opsets", metadata.imports, [&](const Import& import) {
    to.begin_object();
    to.field("domain", import.domain);
    to.field("version", import.version);
    to.end_object();
  });
  to.field("producerName", metadata.producer_name);
  to.field("producerVersion", metadata.producer_version);
  to.field("domain", metadata.domain);
  to.field("modelVersion", metadata.model_version);
  to.field("docString", metadata.doc);
  write_properties(to, "properties", metadata.properties);
  to.field("graphName", metadata.graph_name);
  to.field("graphDocString", metadata.graph_doc);
  write_properties(to, "graphProperties", metadata.graph_properties);
  to.list("functions", metadata.functions, [&](const FunctionInfo& function) {
    to.begin_object();
    to.field("domain", function.domain);
    to.field("name", function.name);
    to.field("overload", function.overload);
    to.field("docString", function.doc);
    to.end_object();
  });
  to.end_object();
}

}  // namespace

// -> JSON: metadata, initializers
double describeModel(double handle) {
  return finish([&]() -> Status {
    const Model& model = model_of(handle);
    return write_json([&](JsonWriter& to) {
      to.begin_object();
      to.key("metadata");
      write_metadata(to, model);
      to.key("initializers");
      to.begin_list();
      for (const Graph& graph : model.graphs()) {
        for (const Initializer& one : graph.initializers) {
          // An initializer that a Constant makes is described as a node.
          if (one.value->producer == nullptr) write_initializer(to, graph, one);
        }
      }
      to.end_list();
      to.end_object();
    });
  }());
}

// address of a tensor in a description of attributes, which has its elements -> tensor
double readStored(double address) {
  return finish([&]() -> Status {
    const Tensor& tensor = *reinterpret_cast<const Tensor*>(static_cast<std::uintptr_t>(address));
    BROADLOOM_TRY(shared, share(tensor));
    return own_and_write(std::move(shared));
  }());
}

// address of an initializer in a description -> tensor
double readInitializer(double address) {
  return finish([&]() -> Status {
    const auto& initializer = *reinterpret_cast<const Initializer*>(static_cast<std::uintptr_t>(address));
    BROADLOOM_TRY(elements, elements_of(*initializer.value, &initializer));
    return own_and_write(std::move(elements));
  }());
}

}  // namespace broadloom
