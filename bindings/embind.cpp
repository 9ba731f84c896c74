// The one list of what JavaScript can call. js/src/embind.ts receives it when the module starts, and refuses functions over
// anything but numbers: strings, classes and val would need Emscripten's JavaScript, which is not part of the package.
#include <emscripten/bind.h>

#include "functions.h"

namespace broadloom {

EMSCRIPTEN_BINDINGS(broadloom) {
  using emscripten::function;
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
  function("openFile", &openFile);
  function("continueFile", &continueFile);
  function("readTensorFile", &readTensorFile);
  function("writeTensorFile", &writeTensorFile);
  function("readModelFile", &readModelFile);
  function("describeExternal", &describeExternal);
  function("allocateExternal", &allocateExternal);
  function("checkExternal", &checkExternal);
  function("describeNodes", &describeNodes);
  function("describeModel", &describeModel);
  function("readStored", &readStored);
  function("readInitializer", &readInitializer);
  function("runModel", &runModel);
  function("profileModel", &profileModel);
  function("disposeModel", &disposeModel);
  function("bindModel", &bindModel);
  function("runBinding", &runBinding);
  function("resetBinding", &resetBinding);
  function("disposeBinding", &disposeBinding);
  function("startSimplification", &startSimplification);
  function("continueSimplification", &continueSimplification);
  function("describeSimplification", &describeSimplification);
  function("disposeSimplification", &disposeSimplification);
  function("fromAudio", &fromAudio);
  function("logMel", &logMel);
  function("fbank", &fbank);
  function("makeResampler", &makeResampler);
  function("resamplerRoom", &resamplerRoom);
  function("runResampler", &runResampler);
  function("finishResampler", &finishResampler);
  function("resetResampler", &resetResampler);
  function("disposeResampler", &disposeResampler);
  function("startImages", &startImages);
  function("continueImages", &continueImages);
  function("finishImages", &finishImages);
  function("disposeImages", &disposeImages);
  function("toImage", &toImage);
}

}  // namespace broadloom
