#include "graph/structure/name_index.h"

#include <bit>
#include <cstdint>

#include "core/count.h"

namespace broadloom {
namespace {

// Sixteen bits for each character of a name: a zero, the character, a one; after the end, zeros. So different names have
// different bits, but the same first bit.
unsigned bits_at(std::string_view name, std::size_t i) {
  return i < name.size() ? 512U + 2U * static_cast<std::uint8_t>(name[i]) : 0;
}

unsigned bit_of(std::string_view name, std::size_t bit) { return bits_at(name, bit / 16) >> bit % 16 & 1U; }

std::size_t first_difference(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  while (bits_at(a, i) == bits_at(b, i)) ++i;
  return 16 * i + in_memory(std::countr_zero(bits_at(a, i) ^ bits_at(b, i)));
}

}  // namespace

NameIndex::Place NameIndex::place_of(std::string_view name, std::size_t end) {
  Place place{&root_, 0};
  while (*place.link != nullptr && (*place.link)->bit >= place.next_bit && (*place.link)->bit < end) {
    const std::size_t bit = (*place.link)->bit;
    place = {&(*place.link)->children[bit_of(name, bit)], bit + 1};
  }
  return place;
}

NameIndex::Place NameIndex::nearest_to(std::string_view name) {
  // Names that branch after the end of `name` agree with one another up to there, so at most one of them ends there: of
  // several, none is `name`. Without this bound, a missing short name would be searched among all long ones.
  return place_of(name, 16 * (name.size() + 1));
}

const Name* NameIndex::find(std::string_view name) const {
  const Name* nearest = *const_cast<NameIndex*>(this)->nearest_to(name).link;
  return nearest != nullptr && nearest->text == name ? nearest : nullptr;
}

Name& NameIndex::add(std::string_view name, Arena& arena, Name& (*make)(Arena&)) {
  Place place = nearest_to(name);
  Name* const nearest = *place.link;
  if (nearest != nullptr && nearest->text == name) return *nearest;
  Name& added = make(arena);
  added.text = arena.copy(name);
  added.number = size_++;
  added.next = last_;
  last_ = &added;
  if (nearest != nullptr) added.bit = first_difference(name, nearest->text);
  // Names that a file chooses for long paths branch at their end, where the path to the nearest one led.
  if (added.bit < place.next_bit) place = place_of(name, added.bit);
  const unsigned own = bit_of(name, added.bit);
  added.children[own] = &added;
  added.children[1 - own] = *place.link;
  *place.link = &added;
  return added;
}

}  // namespace broadloom
