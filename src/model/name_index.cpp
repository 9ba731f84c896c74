#include "model/name_index.h"

namespace broadloom {

Value** NameIndex::place_of(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
  for (const char character : name) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3;
  Value** place = &root_;
  for (; *place != nullptr && (*place)->name != name; hash <<= 2U) place = &(*place)->children[hash >> 62U];
  return place;
}

Value& NameIndex::find_or_add(std::string_view name, Arena& arena) {
  Value*& place = *place_of(name);
  if (place == nullptr) {
    place = arena.make_list<Value>(1).data();
    place->name = arena.copy(name);
    place->number = size_++;
    place->next = last_;
    last_ = place;
  }
  return *place;
}

}  // namespace broadloom
