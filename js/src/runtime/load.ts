import { hostMilliseconds } from '../basics/clock.js';
import { invalidArgument, OnnxError } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { permissionAdvice } from '../basics/permission.js';
import { show, tagOf } from '../basics/show.js';
import { takesAtMost, tooMany } from '../basics/superfluous.js';
import { Embind } from '../calls/embind.js';
import { guardedGlue } from '../calls/glue.js';
import { type Life, Memory } from '../calls/memory.js';
import { defaultWasm } from '../hosts/default-wasm.js';
import type { WasmSource } from '../hosts/wasm-source.js';
import { readLocalFile } from '../model/local-file.js';
import type { Model } from '../model/model.js';
import type { RunEvent } from '../model/run-events.js';
import { type Limits, setLimits } from './limits.js';
import { newRuntime, type Runtime } from './runtime.js';

declare global {
  // Whose TypeScript knows no browser, and perhaps not even Node, has no such names. Where they are known, nothing is added.
  namespace WebAssembly {
    interface Module {}
    interface Memory {}
  }
  interface AbortSignal {}
  interface Blob {}
  interface Response {}
  interface URL {}
}

/** Options of {@link load} and, except `wasm`, of {@link loadSync}. */
export interface LoadOptions {
  /**
   * Where the wasm module is, or the module itself. Default: the module of the package's entry. That is the file `broadloom.wasm`
   * beside the JavaScript in browsers and Node.js; the bytes within the JavaScript in Bun, in Deno and with `broadloom/inline`;
   * and the module that was deployed in workers on servers.
   */
  wasm?: WasmSource | PromiseLike<WasmSource> | undefined;
  /** The opset of calls that name none, from 1. Default: 28, the newest known. */
  opset?: number | undefined;
  /** Bytes that the wasm memory has at first. Default: 1 MiB; smaller numbers mean 1 MiB, too. */
  initialMemory?: number | undefined;
  /** Bytes that the wasm memory may grow to, at least 1 MiB (1048576). Default, and most: 4 GiB, or as much as the engine allows. */
  maximumMemory?: number | undefined;
  /** The most that files and calls may ask for. */
  limits?: Limits | undefined;
  /**
   * Called after each run of a model, when its outputs are there, and after one that failed: with the model, its number of nodes,
   * microseconds, the bytes of the memory, and the error. A run that never answers, since its worker was ended, is not told. The
   * run does not fail with errors of the function: the host reports them as rejected promises that nobody handles.
   */
  onRun?: ((event: RunEvent<Model>) => void) | undefined;
}

const runtimeOptions = ['opset', 'initialMemory', 'maximumMemory', 'limits', 'onRun'];
/** @internal */
export const loadOptions = ['wasm', ...runtimeOptions];
const pageBytes = 65536;
const smallestMemory = 1024 * 1024; // what the module asks for (bindings/CMakeLists.txt)
const largestMemory = 4 * 1024 * 1024 * 1024;
const mostPages = largestMemory / pageBytes - 1;

let compiled: Promise<WebAssembly.Module> | undefined;
let shared: { readonly life: Life; readonly runtime: Promise<Runtime> } | undefined;

/**
 * Loads the wasm module and returns a runtime. Without options, all callers get the same runtime, until an error in WebAssembly
 * ends it. With options, each call makes a new runtime with its own memory. To import the package does no work: all work begins
 * here.
 *
 * @param options - where the module is, the runtime's opset, the sizes of its memory, and limits
 * @throws {@link OnnxError} `INVALID_ARGUMENT` for an option that is none, and when the module cannot be had; then `cause`
 * is what the host said. A later call tries again.
 *
 * @example
 * ```ts
 * const ops = await load();
 * const y = ops.expand(ops.tensor('float32', [1, 2, 3], [3, 1]), [2, 1, 6]); // float32 [2, 3, 6]
 * ```
 */
export function load(options?: LoadOptions): Promise<Runtime> {
  if (arguments.length > 1) return Promise.reject(tooMany('load', arguments.length, 1));
  if (options != null) return loadNew(options, newLife());
  if (shared === undefined || shared.life.ended) {
    const life = newLife();
    const runtime = loadNew({}, life).catch((error) => {
      life.ended = true; // the next call tries again
      throw error;
    });
    shared = { life, runtime };
  }
  return shared.runtime;
}

const newLife = (): Life => ({ ended: false, cause: undefined });

async function loadNew(given: LoadOptions, life: Life): Promise<Runtime> {
  const options = checkedOptions('load: ', given, loadOptions);
  return instantiate(await moduleOf(options.wasm), options, life);
}

/** The compiled module of the option `wasm`. @internal */
export async function moduleOf(wasm: LoadOptions['wasm']): Promise<WebAssembly.Module> {
  const source = await Promise.resolve(wasm).catch((cause) => Promise.reject(unusable(cause)));
  if (source !== undefined) return compile(source);
  compiled ??= compile(defaultWasm).catch((error) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

/**
 * The synchronous twin of {@link load}: makes a new runtime, with a memory of its own, from a compiled module or its bytes.
 *
 * @param wasm - the module, or the bytes of broadloom.wasm
 * @param options - the runtime's opset, the sizes of its memory, and limits
 * @throws {@link OnnxError} `INVALID_ARGUMENT` for an option that is none, and for what is not this package's module
 */
export function loadSync(
  wasm: ArrayBuffer | ArrayBufferView | (WebAssembly.Module & object),
  options?: Omit<LoadOptions, 'wasm'>,
): Runtime {
  takesAtMost(2, arguments.length, 'loadSync');
  const checked = checkedOptions('load: ', options, runtimeOptions);
  return instantiate(isModule(wasm) ? wasm : compileNow(wasm), checked, newLife());
}

function compileNow(bytes: ArrayBuffer | ArrayBufferView): WebAssembly.Module {
  try {
    return new WebAssembly.Module(checkedBytes(bytes, 'bytes'));
  } catch (cause) {
    throw unusable(cause);
  }
}

function isModule(value: unknown): value is WebAssembly.Module {
  return tagOf(value) === 'WebAssembly.Module';
}

function checkedBytes(value: unknown, wanted = 'a URL, a Response, bytes'): BufferSource {
  if (tagOf(value) === 'ArrayBuffer') return value as ArrayBuffer;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  throw invalidArgument(`load: wasm is ${show(value)}, wanted ${wanted} or a WebAssembly.Module`);
}

async function compile(from: WasmSource | typeof defaultWasm): Promise<WebAssembly.Module> {
  let place = ''; // of bytes
  try {
    let source = from as WasmSource;
    if (from === defaultWasm) {
      place = 'import.meta.url'; // which bundles for classic scripts do not have
      source = await defaultWasm();
    }
    if (isModule(source)) return source;
    if (tagOf(source) !== 'Response') {
      if (typeof source !== 'string' && tagOf(source) !== 'URL') return await WebAssembly.compile(checkedBytes(source));
      place = String(source);
      const file = await readLocalFile(place);
      if (file) return await WebAssembly.compile(file);
    }
    const response = place ? await fetch(place) : (source as Response);
    place = response.url;
    return await compileResponse(response);
  } catch (cause) {
    throw unusable(cause, place);
  }
}

/** The host's error about a file or a module, as this package's error. */
function unusable(cause: unknown, place = ''): unknown {
  if (cause instanceof OnnxError) return cause;
  if (typeof WebAssembly === 'undefined')
    return new OnnxError('INVALID_ARGUMENT', "load: this host has no WebAssembly; Node's --jitless takes it away", {
      cause,
    });
  const remedy = permissionAdvice(cause) ?? 'serve it there, pass load({ wasm }) or import broadloom/inline';
  const advice = place && ` at ${place}: ${remedy}`;
  const reason = (cause as Error | undefined)?.message ?? show(cause);
  return new OnnxError('INVALID_ARGUMENT', `load: no wasm module${advice} (${reason})`, { cause });
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`status ${response.status}`);
  const isWasm = response.headers.get('Content-Type')?.startsWith('application/wasm');
  // Next.js in development puts the arguments of WebAssembly.compile into a function: no `await` may be among them.
  return isWasm ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then(WebAssembly.compile);
}

function checkedMemory(name: string, value: number | undefined, otherwise: number, least: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !(value >= least && value <= largestMemory))
    throw invalidArgument(`load: ${name} is ${show(value)}, wanted bytes from ${least} to ${largestMemory}`);
  return Math.max(value, smallestMemory);
}

function makeMemory(options: LoadOptions): WebAssembly.Memory {
  const initialBytes = checkedMemory('initialMemory', options.initialMemory, smallestMemory, 0);
  const maximumBytes = checkedMemory('maximumMemory', options.maximumMemory, largestMemory, smallestMemory);
  if (initialBytes > maximumBytes) throw invalidArgument('load: initialMemory is larger than maximumMemory');
  let maximum = Math.floor(maximumBytes / pageBytes);
  // The module counts the bytes in 32 bits: of 4 GiB they would be none.
  const initial = Math.min(Math.ceil(initialBytes / pageBytes), maximum, mostPages);
  for (;;) {
    try {
      return new WebAssembly.Memory({ initial, maximum });
    } catch (cause) {
      // Some engines refuse to set aside room for 4 GiB.
      maximum = Math.floor(maximum / 2);
      if (options.maximumMemory === undefined && maximum >= initial) continue;
      const advice = "it sets aside address space for each (V8: 10 GB), which 'ulimit -v' may not allow";
      const text = `load: the host gives no memory of ${initial * pageBytes} bytes; ${advice}`;
      throw new OnnxError('OUT_OF_MEMORY', text, { cause });
    }
  }
}

function sectionOf(module: WebAssembly.Module): ArrayBuffer | undefined {
  try {
    return WebAssembly.Module.customSections(module, 'broadloom')[0];
  } catch (cause) {
    throw unusable(cause); // it has the tag of a module, and is none
  }
}

/** The module and this JavaScript must be of one build of the package: tools/build.mjs writes its version into both. */
function checkVersion(module: WebAssembly.Module): void {
  const section = sectionOf(module);
  const version = section && new TextDecoder().decode(section);
  if (version === broadloomVersion) return;
  const found = version ? `of version ${version}` : 'another module, or one of an older version';
  throw invalidArgument(`load: wasm is ${found}; this JavaScript needs the broadloom.wasm of ${broadloomVersion}`);
}

/** The exports that start the module. Its functions come by embind. */
interface Exports {
  /** Runs the constructors of static objects. */
  _initialize(): void;
  /** Registers, where the version of embind does not do so in a constructor. */
  _embind_initialize_bindings?(): void;
  readonly __indirect_function_table: WebAssembly.Table;
}

function instantiate(module: WebAssembly.Module, options: LoadOptions, life: Life): Runtime {
  checkVersion(module);
  if (options.onRun !== undefined && typeof options.onRun !== 'function')
    throw invalidArgument(`load: onRun is ${show(options.onRun)}, wanted a function`);
  const memory = makeMemory(options);
  const embind = new Embind(memory);
  const own: { readonly [name: string]: WebAssembly.ImportValue | undefined } = { ...embind.imports, hostMilliseconds };
  // Other imports are what the C library tells a host: that memory grew, that the program ended.
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = kind === 'memory' ? memory : (own[name] ?? (() => 0));
  }
  const exports = newInstance(module, imports).exports as unknown as Exports;
  exports._initialize();
  exports._embind_initialize_bindings?.();
  // Growth by nothing empties all views of the heap, those that users kept, too.
  const detach = () => void memory.grow(0);
  const glue = guardedGlue(embind.functions(exports.__indirect_function_table), life, detach);
  const heap = new Memory(glue, memory, life);
  setLimits(heap, options.limits);
  return newRuntime(heap, options);
}

function newInstance(module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch (cause) {
    throw new OnnxError('OUT_OF_MEMORY', `load: the host makes no instance (${(cause as Error).message})`, { cause });
  }
}
