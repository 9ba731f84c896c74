#include "core/dims.h"

namespace broadloom {

template <class T>
void DimList<T>::allocate_heap() {
  data_ = new T[size_];
}

template <class T>
void DimList<T>::free_heap() {
  delete[] data_;
}

template class DimList<std::int64_t>;
template class DimList<Size>;

bool are_numbers(std::span<const Size> dims) {
  return std::all_of(dims.begin(), dims.end(), [](Size size) { return size.is_number(); });
}

}  // namespace broadloom
