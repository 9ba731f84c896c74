/**
 * Broadloom: ONNX operators that make, shape and compute tensors, in WebAssembly.
 *
 * {@link load} gives a {@link Runtime}; its methods are the operators, and make {@link Tensor}s. Whatever goes wrong is an
 * {@link OnnxError}.
 *
 * @module broadloom
 */

export { type ErrorCode, type LimitName, OnnxError } from '../basics/error.js';
export type { MemoryUse } from '../calls/memory-use.js';
export type { OperatorInput } from '../calls/operands.js';
export type { AttributeRow, Operator, OperatorVersion, ParameterRow } from '../calls/operators.js';
export type { WasmSource } from '../hosts/wasm-source.js';
export type { ImagePlace, ImageTensor } from '../image/images.js';
export type { CoordinateOptions, ImageMethods } from '../image/methods.js';
export type {
  Box,
  ImageLayout,
  ImageOptions,
  ImageType,
  PerChannel,
  PictureOptions,
  PixelScale,
} from '../image/options.js';
export type { Picture } from '../image/picture.js';
export type { ImagePresets } from '../image/presets.js';
export type { DrawableImage, ImageSource, PixelBuffer, PixelData, PixelSizes } from '../image/source.js';
export type { AttributeMark, NodeAttribute } from '../model/attributes.js';
export {
  type BindOptions,
  type BoundInputs,
  BoundModel,
  type BoundTensors,
  type States,
} from '../model/bound-model.js';
export type { ExternalPlace, ModelFunction, ModelInitializer, ModelMetadata, OpsetImport } from '../model/contents.js';
export type { ExternalFiles } from '../model/external.js';
export type { FeedLike } from '../model/feeds.js';
export type { FileParts } from '../model/file-parts.js';
export { filesBeside } from '../model/local-file.js';
export { Model, type NodeProfile } from '../model/model.js';
export type { NodeModelFiles } from '../model/node-model.js';
export type { ModelNode, ModelValue, TypeInfo } from '../model/nodes.js';
export type { ModelOptions, RunOptions } from '../model/options.js';
export type { RunEvent, RunFigures } from '../model/run-events.js';
export type { ValueInfo } from '../model/value-info.js';
export { loadPool } from '../pool/load-pool.js';
export type {
  Bucket,
  Histogram,
  Pool,
  PoolCloseOptions,
  PoolModel,
  PoolModelOptions,
  PoolOptions,
  PoolRunOptions,
  PoolStats,
} from '../pool/pool-types.js';
export type { Limits } from '../runtime/limits.js';
export { type LoadOptions, load, loadSync } from '../runtime/load.js';
export type { AttributesOf, OperatorName } from '../runtime/operator-names.js';
export type * from '../runtime/operators.generated.js';
export { Runtime } from '../runtime/runtime.js';
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
} from '../simplify/types.js';
export type { FbankOptions } from '../sound/fbank.js';
export { type LogMelOptions, logMelPresets, type Samples, type WindowName } from '../sound/log-mel.js';
export type { SoundMethods } from '../sound/methods.js';
export { Resampler, type ResamplerOptions } from '../sound/resampler.js';
export type { AudioBufferLike, SoundOptions } from '../sound/sound.js';
export type { WavSound } from '../sound/wav.js';
export type { ConstantAttributes, ConstantOfShapeAttributes, FillType } from '../tensor/constant-types.js';
export type { TensorJson, TensorMessage } from '../tensor/messages.js';
export type { ItemOf, Nested, NestedLike } from '../tensor/nested.js';
export type { RangeAttributes } from '../tensor/range-types.js';
export { type AnyTensor, Tensor } from '../tensor/tensor.js';
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
} from '../tensor/types.js';
export { type Dtype as DataTypeRow, dtypes as dataTypes } from '../tensor/types.js';
export { loadInWorker } from '../worker/load-in-worker.js';
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
} from '../worker/remote-types.js';
