import { didYouMean } from '../../../shared/names.js';
import { show } from '../basics/show.js';
import type { Env } from './env-types.js';
import type { InferenceSession } from './session.js';
import { type LogOptions, warnOnce } from './warnings.js';

type Options = Readonly<Record<string, unknown>>;

/** Why a value of an option is not honoured; nothing for one that is. */
type Reason = (value: unknown) => string | undefined;

const providers = ['wasm', 'cpu', 'broadloom'];
const meansNothing: Reason = () => 'has no meaning here';
const honoured: Reason = () => undefined;
const optimizations = ['disabled', 'basic', 'extended', 'layout', 'all'];
const threads: Reason = (value) =>
  typeof value === 'number' && value > 1 ? `is ${show(value)}, and runs take one thread` : undefined;
const unless =
  (value: unknown, reason: string): Reason =>
  (given) =>
    given === value ? undefined : reason;
const nameOf = (provider: unknown) =>
  typeof provider === 'string' ? provider : (provider as { name?: unknown })?.name;

const sessionOptions: Readonly<Record<string, Reason>> = {
  executionProviders(value) {
    const others = Array.isArray(value) ? value.map(nameOf).filter((name) => !providers.includes(name as string)) : [];
    return others.length > 0 ? `has ${others.map(show).join(', ')}, and models run in WebAssembly` : undefined;
  },
  intraOpNumThreads: threads,
  interOpNumThreads: threads,
  freeDimensionOverrides: honoured,
  graphOptimizationLevel: (value) =>
    optimizations.includes(value as string) ? undefined : `is ${show(value)}, which counts as "all"`,
  enableCpuMemArena: unless(true, 'is false, and the runtime keeps its memory'),
  enableMemPattern: unless(true, 'is false, and runs of the same sizes take the same places in memory'),
  executionMode: (value) =>
    value === 'sequential' ? undefined : `is ${show(value)}, and nodes run one after the other`,
  optimizedModelFilePath: () => 'writes no file: `npx broadloom simplify` does',
  enableProfiling: honoured,
  profileFilePrefix: () => 'has no meaning here: profiles are printed',
  logId: honoured,
  logSeverityLevel: honoured,
  logVerbosityLevel: honoured,
  preferredOutputLocation(value) {
    const places = typeof value === 'string' ? [value] : Object.values((value ?? {}) as object);
    return places.every((place) => place === 'cpu') ? undefined : 'is not "cpu", where all outputs are';
  },
  enableGraphCapture: unless(false, 'is for WebGPU'),
  externalData: honoured,
  extra: meansNothing,
};

const runOptions: Readonly<Record<string, Reason>> = {
  ...{ logSeverityLevel: honoured, logVerbosityLevel: honoured, terminate: honoured, tag: honoured },
  extra: meansNothing,
};

const wasmFlags: Readonly<Record<string, Reason>> = {
  numThreads: threads,
  simd: (value) => (value === false ? 'is false, and the module has SIMD' : undefined),
  trace: (value) => (value ? 'has no meaning here' : undefined),
  initTimeout: (value) => (value ? 'has no meaning here' : undefined),
  wasmPaths: () => "names onnxruntime-web's files: env.broadloom = { wasm } says where broadloom.wasm is",
  wasmBinary: () => "is onnxruntime-web's module: env.broadloom = { wasm } takes broadloom.wasm",
  proxy: honoured,
};

function warnOf(what: string, options: Options, known: typeof sessionOptions, log: LogOptions = {}): void {
  for (const [name, value] of Object.entries(options)) {
    if (value == null) continue;
    const isKnown = Object.hasOwn(known, name);
    const reason = isKnown
      ? (known[name] as Reason)(value)
      : `is unknown to onnxruntime-common${didYouMean(name, Object.keys(known))}`;
    if (reason !== undefined) warnOnce(`${what}${name} ${reason}`, log);
  }
}

/** Warns of options of a session that have no effect. */
export function checkSessionOptions(options: InferenceSession.SessionOptions): void {
  warnOf('', options as Options, sessionOptions, options);
}

/** Warns of flags that have no effect. */
export function checkFlags(flags: Env.WebAssemblyFlags): void {
  warnOf('env.wasm.', flags as Options, wasmFlags);
}

/** Warns of options of a run that have no effect. */
export function checkRunOptions(options: InferenceSession.RunOptions): void {
  warnOf('run: ', options as Options, runOptions, options);
}
