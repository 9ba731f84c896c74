// Registers the functions of functions.inc. js/src/calls/embind.ts receives them when the module starts. It refuses functions
// whose types are not numbers: strings, classes and val would need Emscripten's JavaScript, which is not part of the package.
#include <emscripten/bind.h>

#include <type_traits>

#include "core/text.h"
#include "functions.h"
#include "ops/chosen.h"
#include "tensors.h"

namespace broadloom {
namespace {

// Stands for a function of a part that this module lacks. `name` has linkage, as template arguments need.
template <const char* name, class Function>
struct LeftOut;

template <const char* name, class Result, class... Arguments>
struct LeftOut<name, Result (*)(Arguments...)> {
  static Result call(Arguments...) {
    if constexpr (!std::is_void_v<Result>) {
      return finish(fail(Code::InvalidArgument,
                         "this module was built without the part '{}': npm run build -- --for ... --with {}", name, name));
    }
  }
};

// A part of the module: registers its functions, or what stands for them.
template <const char* name, bool is_built>
struct Registrar {
  template <auto function>
  void add(const char* function_name) const {
    if constexpr (is_built) {
      emscripten::function(function_name, function);
    } else {
      emscripten::function(function_name, &LeftOut<name, decltype(function)>::call);
    }
  }
};

constexpr char core_name[] = "core";
constexpr char models_name[] = "models";
constexpr char describe_name[] = "describe";
constexpr char simplify_name[] = "simplify";
constexpr char sound_name[] = "sound";
constexpr char images_name[] = "images";

}  // namespace

EMSCRIPTEN_BINDINGS(broadloom) {
  constexpr Registrar<core_name, true> core;
  constexpr Registrar<models_name, chosen::models> models;
  constexpr Registrar<describe_name, chosen::describe> describe;
  constexpr Registrar<simplify_name, chosen::simplify> simplify;
  constexpr Registrar<sound_name, chosen::sound> sound;
  constexpr Registrar<images_name, chosen::images> images;
#define FUNCTION(part, result, name, parameters) part.add<&name>(#name);
#include "functions.inc"
#undef FUNCTION
}

}  // namespace broadloom
