import { didYouMean } from '../../../shared/names.js';
import { show } from '../basics/show.js';
import { arrayName, lengthOf } from '../basics/typed-arrays.js';
import { type DataType, type DataTypeRow, dataTypes } from '../entries/index.js';
import { type AnyData, dataForPrograms, Float16Array } from './data.js';
import { imageToTensor, tensorToDataUrl, tensorToImageData } from './images.js';
import type { Tensor as TensorType } from './tensor.js';
import type {
  TensorFromGpuBufferOptions,
  TensorFromMLTensorOptions,
  TensorFromTextureOptions,
} from './tensor-options.js';

type Location = TensorType.DataLocation;

/** Elements that lie elsewhere than in an array of this side. */
interface Elsewhere {
  readonly texture?: TensorType.TextureType | undefined;
  readonly gpuBuffer?: TensorType.GpuBufferType | undefined;
  readonly mlTensor?: TensorType.MLTensorType | undefined;
}

/** A tensor with its place: the argument of the constructor that has a `location`. */
interface Placed extends Elsewhere {
  readonly location: Location;
  readonly type: string;
  readonly dims: readonly number[];
  readonly data?: unknown;
  download?(): Promise<AnyData>;
  dispose?(): void;
}

/** The property that has the resource of each place. */
const resources = { texture: 'texture', 'gpu-buffer': 'gpuBuffer', 'ml-tensor': 'mlTensor' } as const;

const constructors: Readonly<Record<string, unknown>> = {
  ...{ Float32Array, Float64Array, Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array },
  ...{ BigInt64Array, BigUint64Array, Float16Array },
};

/** The types whose lists of numbers are the elements of an array: no bits, parts or packed elements. */
const takesLists = (type: DataType) =>
  (type === 'float16' && Float16Array !== undefined) || !/^(float16|bfloat16|float[48]|complex|u?int[24]$)/.test(type);

const rows: ReadonlyMap<unknown, DataTypeRow> = new Map(dataTypes.map((row) => [row.name, row]));
const rowOf = (type: DataType) => rows.get(type) as DataTypeRow;

function typeOf(name: unknown): DataType {
  const row = rows.get(name);
  if (row !== undefined) return row.name;
  const known = dataTypes.map((one) => one.name);
  throw new TypeError(`Unsupported tensor type: ${show(name)}${didYouMean(String(name), known)}`);
}

/** The array of a type for data that was given with it. */
function dataOfType(type: DataType, data: unknown): AnyData {
  const array = type === 'float16' && Float16Array !== undefined ? 'Float16Array' : rowOf(type).array;
  if (type === 'string') {
    if (Array.isArray(data)) return data;
    throw new TypeError(`A string tensor's data is ${show(data)}, wanted a list of strings.`);
  }
  const name = arrayName(data);
  if (name === array || (type === 'float16' && name === 'Uint16Array')) return dataForPrograms(type, data as AnyData);
  if (type === 'uint8' && name === 'Uint8ClampedArray') return Uint8Array.from(data as Uint8ClampedArray);
  if (!Array.isArray(data)) throw new TypeError(`A ${type} tensor's data is ${show(data)}, wanted a ${array}.`);
  if (!takesLists(type))
    throw new TypeError(`A ${type} tensor takes no list of numbers: its data is a ${array} of bits.`);
  if (array.startsWith('Big')) return (constructors[array] as BigInt64ArrayConstructor).from(data, BigInt);
  return (constructors[array] as Uint16ArrayConstructor).from(data);
}

/** The type of an array that was given alone, and the array. */
function dataAlone(data: unknown): [DataType, AnyData] {
  if (Array.isArray(data)) {
    if (data.length === 0) throw new TypeError('An empty list does not tell the type of a tensor: pass it first.');
    const kind = typeof data[0];
    if (kind === 'string') return ['string', data];
    if (kind === 'boolean') return ['bool', Uint8Array.from(data)];
    throw new TypeError(`A list of ${kind}s does not tell the type of a tensor: pass it first.`);
  }
  const name = arrayName(data);
  if (name === 'Uint8ClampedArray') return ['uint8', Uint8Array.from(data as Uint8ClampedArray)];
  if (name === 'Float16Array') return ['float16', data as AnyData];
  const row = dataTypes.find(({ array }) => array === name);
  if (row === undefined) throw new TypeError(`A tensor's data is ${show(data)}, wanted a typed array or a list.`);
  return [row.name, data as AnyData];
}

/** The product of dims, which may be anything. */
function sizeOf(dims: readonly unknown[]): number {
  let size = 1;
  // Not by reduce, which passes over holes.
  for (const [axis, dim] of dims.entries()) {
    if (typeof dim !== 'number' || !Number.isSafeInteger(dim))
      throw new TypeError(`dims[${axis}] must be an integer, got: ${show(dim)}`);
    if (dim < 0) throw new RangeError(`dims[${axis}] must be a non-negative integer, got: ${dim}`);
    size *= dim;
  }
  return size;
}

/** The number of entries of an array for this number of elements. */
function entriesOf(type: DataType, size: number): number {
  const { bits, kind } = rowOf(type);
  return kind === 'complex' ? 2 * size : bits < 8 ? Math.ceil((size * bits) / 8) : size;
}

/** The tensor of onnxruntime-common, whose data are the array that it was given. */
export class OrtTensor {
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly size: number;
  // Own properties, as onnxruntime-common has them: a clone of the tensor by postMessage has its elements, and a proxy, which
  // frameworks make, reaches them.
  private cpuData: AnyData | undefined;
  private dataLocation: Location = 'cpu';
  declare private elsewhere: Elsewhere | undefined;
  declare private downloader: (() => Promise<AnyData>) | undefined;
  declare private disposer: (() => void) | undefined;
  declare private isDownloading: boolean | undefined;

  constructor(first: unknown, second?: unknown, third?: unknown) {
    let dims: unknown;
    if (typeof first === 'object' && first !== null && 'location' in first && !ArrayBuffer.isView(first)) {
      const placed = first as Placed;
      this.type = typeOf(placed.type);
      dims = placed.dims;
      this.place(placed);
    } else {
      if (typeof first === 'string') {
        this.type = typeOf(first);
        this.cpuData = dataOfType(this.type, second);
        dims = third;
      } else {
        [this.type, this.cpuData] = dataAlone(first);
        dims = second;
      }
      if (dims === undefined) {
        const perByte = 8 / Math.min(rowOf(this.type).bits, 8);
        const parts = this.type.startsWith('complex') ? 2 : 1;
        dims = [(this.cpuData.length * perByte) / parts];
      }
    }
    if (!Array.isArray(dims)) throw new TypeError(`A tensor's dims are ${show(dims)}, wanted a list of numbers`);
    this.size = sizeOf(dims);
    this.dims = dims;
    const { cpuData } = this;
    if (cpuData === undefined) return;
    const length = Array.isArray(cpuData) ? cpuData.length : lengthOf(cpuData);
    if (length !== entriesOf(this.type, this.size))
      throw new Error(`Tensor's size(${this.size}) does not match data length(${length}).`);
  }

  private place(placed: Placed): void {
    const { location, data, download, dispose } = placed;
    if (location === 'cpu-pinned') {
      if (this.type === 'string' || Array.isArray(data))
        throw new TypeError(`A pinned buffer of ${this.type} is ${show(data)}, wanted a typed array.`);
      this.cpuData = dataOfType(this.type, data);
    } else {
      const resource = Object.hasOwn(resources, location) ? resources[location as keyof typeof resources] : undefined;
      if (resource === undefined) throw new Error(`Tensor constructor: unsupported location '${location}'`);
      this.elsewhere = { [resource]: placed[resource] };
      this.downloader = download;
      this.disposer = dispose;
    }
    this.dataLocation = location;
  }

  get location(): Location {
    return this.dataLocation;
  }

  get data(): AnyData {
    this.ensureValid();
    if (this.cpuData !== undefined) return this.cpuData;
    throw new Error('The data is not on CPU: `await getData()` downloads it.');
  }

  get texture(): TensorType.TextureType {
    return this.resource('texture', 'as a WebGL texture');
  }

  get gpuBuffer(): TensorType.GpuBufferType {
    return this.resource('gpuBuffer', 'as a WebGPU buffer');
  }

  get mlTensor(): TensorType.MLTensorType {
    return this.resource('mlTensor', 'as a WebNN MLTensor');
  }

  private resource<N extends keyof Elsewhere>(name: N, what: string): NonNullable<Elsewhere[N]> {
    this.ensureValid();
    const found = this.elsewhere?.[name];
    if (found === undefined) throw new Error(`The data is not stored ${what}.`);
    return found as NonNullable<Elsewhere[N]>;
  }

  private ensureValid(): void {
    if (this.dataLocation === 'none') throw new Error('The tensor is disposed.');
  }

  async getData(releaseData?: boolean): Promise<AnyData> {
    this.ensureValid();
    if (this.cpuData !== undefined) return this.cpuData;
    if (this.downloader === undefined)
      throw new Error('The current tensor is not created with a specified data downloader.');
    if (this.isDownloading) throw new Error('The current tensor is being downloaded.');
    this.isDownloading = true;
    try {
      this.cpuData = await this.downloader();
      this.downloader = undefined;
      this.dataLocation = 'cpu';
      if (releaseData) this.letGo();
      return this.cpuData;
    } finally {
      this.isDownloading = false;
    }
  }

  private letGo(): void {
    this.disposer?.();
    this.disposer = undefined;
    this.elsewhere = undefined;
  }

  dispose(): void {
    if (this.isDownloading) throw new Error('The current tensor is being downloaded.');
    this.letGo();
    this.downloader = undefined;
    this.cpuData = undefined;
    this.dataLocation = 'none';
  }

  reshape(dims: readonly number[]): OrtTensor {
    this.ensureValid();
    if (this.downloader !== undefined || this.disposer !== undefined)
      throw new Error('Cannot reshape a tensor that owns GPU resource.');
    if (this.dataLocation === 'cpu') return new OrtTensor(this.type, this.cpuData, dims);
    return new OrtTensor({
      ...{ location: this.dataLocation, type: this.type, dims },
      ...(this.cpuData === undefined ? this.elsewhere : { data: this.cpuData }),
    });
  }

  toDataURL(options?: unknown): string {
    return tensorToDataUrl(this, options);
  }

  toImageData(options?: unknown): unknown {
    return tensorToImageData(this, options);
  }

  static async fromImage(image: unknown, options?: unknown): Promise<OrtTensor> {
    const { type, data, dims } = await imageToTensor(image, options);
    return new OrtTensor(type, data, dims);
  }

  static fromTexture(texture: TensorType.TextureType, options: TensorFromTextureOptions<'float32'>): OrtTensor {
    const { width, height, ...calls } = options;
    return new OrtTensor({ ...calls, location: 'texture', type: 'float32', texture, dims: [1, height, width, 4] });
  }

  static fromGpuBuffer(
    gpuBuffer: TensorType.GpuBufferType,
    options: TensorFromGpuBufferOptions<TensorType.GpuBufferDataTypes>,
  ): OrtTensor {
    const { dataType: type = 'float32', ...rest } = options;
    return new OrtTensor({ ...rest, location: 'gpu-buffer', type, gpuBuffer });
  }

  static fromMLTensor(
    mlTensor: TensorType.MLTensorType,
    options: TensorFromMLTensorOptions<TensorType.MLTensorDataTypes>,
  ): OrtTensor {
    const { dataType: type = 'float32', ...rest } = options;
    return new OrtTensor({ ...rest, location: 'ml-tensor', type, mlTensor });
  }

  static fromPinnedBuffer(type: string, data: { readonly length: number }, dims?: readonly number[]): OrtTensor {
    return new OrtTensor({ location: 'cpu-pinned', type, data, dims: dims ?? [data.length] });
  }
}

Object.defineProperty(OrtTensor, 'name', { value: 'Tensor' });
