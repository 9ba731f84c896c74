// Declared values, as JavaScript reads them (js/src/model-nodes.ts).
#pragma once

#include "descriptions/page_writer.h"
#include "graph/graph.h"

namespace broadloom {

// type or 0, rank or -1, sizes: a number, -1 for an unknown one, -2 - n for the one with name n of the model
inline void write_type(PageWriter& to, const ValueInfo& info) {
  to.number(static_cast<double>(info.dtype));
  to.number(info.has_shape ? static_cast<double>(info.dims.size()) : -1.0);
  for (const Dimension& dim : info.dims) to.number(dim.value >= 0 ? dim.value : std::int64_t{-2} - dim.symbol);
}

inline void write_value_info(PageWriter& to, const ValueInfo& info) {
  to.string(info.name);
  write_type(to, info);
}

}  // namespace broadloom
