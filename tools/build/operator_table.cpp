// Prints what operators and passes use, as JSON: tools/build/build-for.mjs chooses by it what a module of some operators has.
//
//   operators: [{ id, domain, name, loops, folds, types, calls }]
//                                                    id is the constant in C++; loops and folds are bits, one for each
//                                                    Operation, and calls are ids
//   passes: [{ keepsBits, makes }]                   ids of the operators of the nodes that a pass makes
//   graphs: names of the operators that run graphs
#include <cstdio>
#include <string>
#include <vector>

#include "core/json_writer.h"
#include "graph/rewrite/passes/passes.h"
#include "graph/structure/control_flow.h"
#include "ops/named_operators.h"
#include "ops/operator_lists.h"

namespace broadloom {
namespace {

struct Named {
  std::string_view id;
  const Operator* op;
};

constexpr Named running[] = {
#define OPERATOR(id, name) {#id, &op::id},
#include "ops/operators.inc"
#define MICROSOFT(id, name) {"microsoft::" #id, &op::microsoft::id},
#include "ops/microsoft/operators.inc"
#define EXPERIMENTAL(id, name) {"experimental::" #id, &op::experimental::id},
#include "ops/experimental/operators.inc"
};

struct Maker {
  bool keeps_bits;
  std::vector<const Operator*> makes;
};

const Maker makers[] = {
#define PASS(name, kind, keeps, use, ...) {Keeps::keeps != Keeps::values, {__VA_ARGS__}},
#define NODE_PASS(name, kind, keeps, use, stage, op, needs, ...) {Keeps::keeps != Keeps::values, {__VA_ARGS__}},
#include "graph/rewrite/passes/passes.inc"
};

std::string_view id_of(const Operator* op) {
  for (const Named& one : running) {
    if (one.op == op) return one.id;
  }
  return {};
}

void write_ids(JsonWriter& json, std::string_view name, std::span<const Operator* const> operators) {
  json.list(name, operators, [&](const Operator* op) { json.value(id_of(op)); });
}

void write_table(JsonWriter& json) {
  json.begin_object();
  json.list("operators", running, [&](const Named& one) {
    const Kernels& kernels = one.op->kernels;
    json.begin_object();
    json.field("id", one.id);
    json.field("domain", one.op->domain);
    json.field("name", one.op->name);
    json.field("loops", kernels.loops_as_bits());
    json.field("folds", kernels.folds_as_bits());
    json.key("types");
    json.begin_list();
    for (unsigned id = 0; id < 32; ++id) {
      const auto dtype = static_cast<Dtype>(id);
      if (kernels.types().contains(dtype)) json.value(info(dtype).name);
    }
    json.end_list();
    write_ids(json, "calls", one.op->calls.list());
    json.end_object();
  });
  json.list("passes", makers, [&](const Maker& one) {
    json.begin_object();
    json.field("keepsBits", one.keeps_bits);
    write_ids(json, "makes", one.makes);
    json.end_object();
  });
  const Operator* const graphs[] = {&if_operator, &loop, &scan};
  json.list("graphs", graphs, [&](const Operator* op) { json.value(op->name); });
  json.end_object();
}

}  // namespace
}  // namespace broadloom

int main() {
  using namespace broadloom;
  JsonWriter counter(nullptr);
  write_table(counter);
  std::string text(static_cast<std::size_t>(counter.size()), '\0');
  JsonWriter writer(text.data());
  write_table(writer);
  std::puts(text.c_str());
  return 0;
}
