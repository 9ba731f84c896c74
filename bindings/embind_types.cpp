// embind registers types of strings and views, which no function here has (js/src/calls/embind.ts): 0.4 kB of the download.
// Defined here they do nothing, and the compiler leaves them out with their names.
#include <cstddef>

extern "C" {
void _embind_register_std_string(const void* /*type*/, const char* /*name*/) {}
void _embind_register_std_wstring(const void* /*type*/, std::size_t /*char_size*/, const char* /*name*/) {}
void _embind_register_memory_view(const void* /*type*/, unsigned /*array*/, const char* /*name*/) {}
}
