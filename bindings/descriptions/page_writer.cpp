#include "descriptions/page_writer.h"

namespace broadloom {

void PageWriter::number(double value) {
  if (at_ != nullptr) std::memcpy(at_ + size_, &value, sizeof value);
  size_ += sizeof value;
}

void PageWriter::string(std::string_view value) {
  number(static_cast<double>(value.size()));
  if (at_ != nullptr && !value.empty()) std::memcpy(at_ + size_, value.data(), value.size());
  size_ += (value.size() + 7) / 8 * 8;
}

Status write_page(WritePage* write, const void* what) {
  PageWriter counter(nullptr);
  write(counter, what);
  BROADLOOM_CHECK(page().reserve(counter.size()));
  PageWriter writer(page().data());
  write(writer, what);
  return {};
}

}  // namespace broadloom
