// Runs files in a fuzz target, in wasm: replay <target> <file that lists the files, one a line>.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/target.h"

namespace broadloom::fuzz {
namespace {

struct Entry {
  const char* name = nullptr;
  Target target = nullptr;
};
Entry entries[16];
int entry_count = 0;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Registered::Registered(const char* name, Target target) { entries[entry_count++] = {name, target}; }

int replay(const char* name, const char* list) {
  Target target = nullptr;
  for (const Entry& one : entries) {
    if (one.name != nullptr && std::strcmp(one.name, name) == 0) target = one.target;
  }
  if (target == nullptr) return 1;
  std::ifstream files(list);
  int count = 0;
  for (std::string path; std::getline(files, path); ++count) {
    // Before it runs, since a trap ends the program.
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    const std::string bytes = bytes_of(path);
    run(target, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  return 0;
}

}  // namespace broadloom::fuzz

int main(int count, char** arguments) { return count == 3 ? broadloom::fuzz::replay(arguments[1], arguments[2]) : 1; }
