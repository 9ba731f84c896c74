#include "core/dims.h"

namespace broadloom {

void Dims::allocate_heap() { data_ = new std::int64_t[size_]; }

void Dims::free_heap() { delete[] data_; }

}  // namespace broadloom
