// The list of all functions that JavaScript can call. js/src/embind.ts receives it when the module starts. It refuses functions
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

constexpr char models_name[] = "models";
constexpr char describe_name[] = "describe";
constexpr char simplify_name[] = "simplify";
constexpr char sound_name[] = "sound";
constexpr char images_name[] = "images";

}  // namespace

EMSCRIPTEN_BINDINGS(broadloom) {
  using emscripten::function;
  constexpr Registrar<models_name, chosen::models> models;
  constexpr Registrar<describe_name, chosen::describe> describe;
  constexpr Registrar<simplify_name, chosen::simplify> simplify;
  constexpr Registrar<sound_name, chosen::sound> sound;
  constexpr Registrar<images_name, chosen::images> images;
  function("reservePage", &reservePage);
  function("memoryUse", &memoryUse);
  function("setLimits", &setLimits);
  function("createTensor", &createTensor);
  function("tensorBytes", &tensorBytes);
  function("checkTensor", &checkTensor);
  function("encodeTensor", &encodeTensor);
  function("createStrings", &createStrings);
  function("replaceStrings", &replaceStrings);
  function("tensorStrings", &tensorStrings);
  function("tensorStrides", &tensorStrides);
  function("tensorItem", &tensorItem);
  function("unpackTensor", &unpackTensor);
  function("tensorData", &tensorData);
  function("disposeTensor", &disposeTensor);
  function("findOperator", &findOperator);
  function("describeOperator", &describeOperator);
  function("newestOpset", &newestOpset);
  function("callOperator", &callOperator);
  models.add<&openFile>("openFile");
  models.add<&continueFile>("continueFile");
  models.add<&readTensorFile>("readTensorFile");
  models.add<&writeTensorFile>("writeTensorFile");
  models.add<&readModelFile>("readModelFile");
  models.add<&describeExternal>("describeExternal");
  models.add<&allocateExternal>("allocateExternal");
  models.add<&checkExternal>("checkExternal");
  describe.add<&describeNodes>("describeNodes");
  describe.add<&describeModel>("describeModel");
  describe.add<&readStored>("readStored");
  describe.add<&readInitializer>("readInitializer");
  models.add<&runModel>("runModel");
  models.add<&newWarnings>("newWarnings");
  models.add<&profileModel>("profileModel");
  models.add<&disposeModel>("disposeModel");
  models.add<&bindModel>("bindModel");
  models.add<&runBinding>("runBinding");
  models.add<&resetBinding>("resetBinding");
  models.add<&disposeBinding>("disposeBinding");
  simplify.add<&startSimplification>("startSimplification");
  simplify.add<&continueSimplification>("continueSimplification");
  simplify.add<&describeSimplification>("describeSimplification");
  simplify.add<&disposeSimplification>("disposeSimplification");
  sound.add<&fromAudio>("fromAudio");
  sound.add<&logMel>("logMel");
  sound.add<&fbank>("fbank");
  sound.add<&makeResampler>("makeResampler");
  sound.add<&resamplerRoom>("resamplerRoom");
  sound.add<&runResampler>("runResampler");
  sound.add<&finishResampler>("finishResampler");
  sound.add<&resetResampler>("resetResampler");
  sound.add<&disposeResampler>("disposeResampler");
  images.add<&startImages>("startImages");
  images.add<&continueImages>("continueImages");
  images.add<&finishImages>("finishImages");
  images.add<&disposeImages>("disposeImages");
  images.add<&toImage>("toImage");
}

}  // namespace broadloom
