// Writes what the tests' generators make, as seeds of the fuzzers: into the folder that is named, one folder for each target.
#include <filesystem>
#include <fstream>

#include "support/damaged_files.h"
#include "support/random_graphs.h"

namespace broadloom::test {
namespace {

void write(const std::filesystem::path& folder, std::size_t number, const std::string& bytes) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / ("generated-" + std::to_string(number)), std::ios::binary) << bytes;
}

void write_models(const std::filesystem::path& folder) {
  std::vector<std::string> models = synthetic_models();
  for (std::string& one : nested_models()) models.push_back(std::move(one));
  models.push_back(strange_model());
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    models.push_back(GraphMaker(random).make());
  }
  for (std::size_t i = 0; i < models.size(); ++i) write(folder, i, models[i]);
}

}  // namespace
}  // namespace broadloom::test

int main(int count, char** arguments) {
  if (count != 2) return 1;
  broadloom::test::write_models(std::filesystem::path(arguments[1]) / "model");
  return 0;
}
