// Shared by operators that average elements.
#pragma once

#include "core/status.h"
#include "core/tensor.h"

namespace broadloom {

// The type in which elements are multiplied and added: float32 for types of up to 16 bits, which it represents exactly, and for
// float32 itself. For complex numbers, it is the type of their parts.
Dtype sum_type_of(Dtype dtype);

// The numbers of an element: 2 for complex numbers.
inline std::size_t components_of(Dtype dtype) { return info(dtype).kind == DtypeKind::complex ? 2 : 1; }

// Fails for bools and strings, which have no averages.
Status check_averages(Dtype dtype, std::string_view mode);

}  // namespace broadloom
