// The enums of crossing.inc.
#pragma once

#include <cstdint>

namespace broadloom {

#define ENUM(name, script_name) enum class name : std::int8_t {
#define WORD(value, word) value,
#define NUMBER(value, number) value = number,
#define END() \
  }           \
  ;
#include "core/crossing.inc"
#undef ENUM
#undef WORD
#undef NUMBER
#undef END

}  // namespace broadloom
