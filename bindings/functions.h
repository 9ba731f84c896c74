// The functions that JavaScript can call: free functions over numbers, registered in embind.cpp and typed in js/src/glue.ts.
// Arguments and results beyond a number or two pass through the page (frame.h): the comment of each definition tells what it
// reads -> what it writes. A function that can fail returns the page's address, or its negative when the page holds an error.
#pragma once

// The host's clock, in milliseconds: an import of the module (js/src/load.ts).
extern "C" double hostMilliseconds();

namespace broadloom {

// memory_exports.cpp
double reservePage(double bytes);
double memoryUse();
double setLimits();

// tensor_exports.cpp
double createTensor(int dtype_id, double length);
double tensorBytes(double handle);
double checkTensor(double handle);
double encodeTensor(int dtype_id);
double createStrings();
double replaceStrings(double handle);
double tensorStrings(double handle);
double tensorStrides(double handle);
double tensorItem(double handle, double index);
double unpackTensor(double handle);

// tensors.cpp
double tensorData(double handle);
void disposeTensor(double handle);

// operator_rows_exports.cpp
double findOperator();
double describeOperator(int number);
double newestOpset();

// operator_exports.cpp
double callOperator(int number, double opset, int wanted);

// model_exports.cpp
double openFile(double size, double is_tensor);
double continueFile(double file);
double readTensorFile(double file);
double writeTensorFile(double handle);
double readModelFile(double file, int unsupported, int flags);
double allocateExternal(double address, double file_bytes);
double checkExternal(double address);
double newWarnings(double handle, double known);
double runModel(double handle);
double profileModel(double handle);
void disposeModel(double handle);

// binding_exports.cpp
double bindModel(double handle);
double runBinding(double handle);
void resetBinding(double handle);
void disposeBinding(double handle);

// model_descriptions.cpp
double describeNodes(double handle);
double describeExternal(double handle);
double describeModel(double handle);
double readStored(double address);
double readInitializer(double address);

// simplify_exports.cpp
double startSimplification(double size);
double continueSimplification(double handle);
double describeSimplification(double handle);
void disposeSimplification(double handle);

// sound_exports.cpp
double fromAudio(double handle);
double logMel(double handle);
double fbank(double handle);
double makeResampler(double from, double to);
double resamplerRoom(double handle, double count);
double runResampler(double handle, double count);
double finishResampler(double handle);
void resetResampler(double handle);
void disposeResampler(double handle);

// image_exports.cpp
double startImages();
double continueImages(double address);
double finishImages(double address);
void disposeImages(double address);
double toImage(double handle);

}  // namespace broadloom
