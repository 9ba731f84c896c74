#include "core/dims.h"

namespace broadloom {

void Dims::allocate_heap() { heap_ = new std::int64_t[size_]; }

void Dims::free_heap() { delete[] heap_; }

}  // namespace broadloom
