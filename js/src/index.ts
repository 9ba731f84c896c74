/**
 * Broadloom: ONNX operators that make, shape and compute tensors, in WebAssembly.
 *
 * {@link load} gives a {@link Runtime}; its methods are the operators, and make {@link Tensor}s. Whatever goes wrong is an
 * {@link OnnxError}.
 *
 * @module broadloom
 */

export { type BindOptions, type BoundInputs, BoundModel, type BoundTensors, type States } from './bound-model.js';
export type { ConstantAttributes, ConstantOfShapeAttributes, FillType } from './constant-types.js';
export { type ErrorCode, OnnxError } from './error.js';
export type { ExternalFiles } from './external.js';
export type { FbankOptions } from './fbank.js';
export type { FeedLike } from './feeds.js';
export type { FileParts } from './file-parts.js';

export type { CoordinateOptions, ImageMethods } from './image-methods.js';
export type {
  Box,
  ImageLayout,
  ImageOptions,
  ImageType,
  PerChannel,
  PictureOptions,
  PixelScale,
} from './image-options.js';
export type { ImagePresets } from './image-presets.js';
export type { DrawableImage, ImageSource, PixelBuffer, PixelData, PixelSizes } from './image-source.js';
export type { ImagePlace, ImageTensor } from './images.js';

export type { Limits } from './limits.js';
export { type LoadOptions, load, loadSync } from './load.js';
export { loadInWorker } from './load-in-worker.js';
export { filesBeside } from './local-file.js';
export { type LogMelOptions, logMelPresets, type Samples, type WindowName } from './log-mel.js';
export type { TensorJson, TensorMessage } from './messages.js';
export { Model, type ModelOptions, type NodeProfile, type RunOptions } from './model.js';
export type { AttributeMark, NodeAttribute } from './model-attributes.js';
export type { ExternalPlace, ModelFunction, ModelInitializer, ModelMetadata, OpsetImport } from './model-contents.js';
export type { ModelNode, ModelValue, TypeInfo } from './model-nodes.js';
export type { ItemOf, Nested, NestedLike } from './nested.js';
export type { NodeModelFiles } from './node-model.js';
export type { OperatorInput } from './operands.js';
export type { AttributesOf, OperatorName } from './operator-names.js';
export type * from './operators.generated.js';
export type { AttributeRow, Operator, OperatorVersion, ParameterRow } from './operators.js';
export type { Picture } from './picture.js';
export type { RangeAttributes, RangeType } from './range-types.js';
export type {
  RemoteAttribute,
  RemoteFile,
  RemoteFiles,
  RemoteInitializer,
  RemoteModel,
  RemoteModelOptions,
  RemoteNeighbour,
  RemoteNode,
  RemoteOperatorOptions,
  RemoteOptions,
  RemoteRunOptions,
  RemoteRuntime,
  RemoteSimplifyOptions,
  RemoteTensor,
  TransferOptions,
  WorkerLike,
  WorkerOptions,
} from './remote-types.js';
export { Resampler, type ResamplerOptions } from './resampler.js';
export { type MemoryUse, Runtime } from './runtime.js';
export type {
  DynamicSize,
  ExternalBytes,
  KeptGraph,
  ModelSummary,
  PassKind,
  PassName,
  SimplifiedBlob,
  SimplifiedBytes,
  SimplifyFix,
  SimplifyOptions,
  SimplifyPass,
  SimplifyReport,
  Verified,
} from './simplify-types.js';
export type { AudioBufferLike, SoundOptions } from './sound.js';
export type { SoundMethods } from './sound-methods.js';
export { type AnyTensor, Tensor } from './tensor.js';
export type {
  Attributes,
  AttributesIn,
  AttributeValue,
  DataType,
  DataTypeMap,
  DimsLike,
  ElementsOf,
  IntegerArray,
  NumberOf,
  OneType,
  OperatorOptions,
  Perhaps,
  ShapeLike,
  SparseTensorLike,
  TensorLike,
} from './types.js';
export { type Dtype as DataTypeRow, dtypes as dataTypes } from './types.js';
export type { ValueInfo } from './value-info.js';
export type { WasmSource } from './wasm-source.js';
export type { WavSound } from './wav.js';
