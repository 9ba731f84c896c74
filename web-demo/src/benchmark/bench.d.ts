// The modules of the repository's bench that run in browsers as they stand.

/** Nanoseconds of `count` calls. */
type BenchClock = (count: number) => number | Promise<number>;

declare module '*/bench/element-types.mjs' {
  export function fillData(type: string): Float32Array | Uint8Array;
  export function inputData(type: string, dims: readonly number[]): Float32Array | Uint8Array;
}

declare module '*/bench/shapes.mjs' {
  /** Input and output dims of at least `size` elements; a fill has no input. */
  type Shapes = (size: number) => [number[] | undefined, number[]];
  export const shapes: {
    readonly fill: Shapes;
    readonly leadingSquare: Shapes;
    trailing(columns: number): Shapes;
    middle(times: number, columns: number): Shapes;
    interleaved(times: number, rows: number, columns: number): Shapes;
  };
}

declare module '*/bench/loops.mjs' {
  export function plainLoops(item: object): () => Float32Array | Uint8Array;
}

declare module '*/bench/limit.mjs' {
  export function makeLimit(largest: number): { readonly name: string; prepare(bytes: number): BenchClock };
}

declare module '*/bench/measure.mjs' {
  export function timed(call: () => number): BenchClock;
  export function timedAsync(call: () => Promise<number>): BenchClock;
  interface Contender {
    readonly name: string;
    readonly time: BenchClock;
  }
  /** Nanoseconds of a sample, of warming up and of a whole contender; numbers of rounds. */
  interface Effort {
    readonly sample: number;
    readonly warmUp: number;
    readonly budget: number;
    readonly leastRounds: number;
    readonly mostRounds: number;
  }
  export function measure(
    contenders: { readonly subject: Contender; readonly limit: Contender; readonly peers: readonly Contender[] },
    effort: Effort,
  ): Promise<{
    readonly time: number;
    readonly limitTime: number;
    readonly ratio: number;
    readonly peers: readonly { readonly name: string; readonly time: number; readonly slower: number }[];
  }>;
}

/** Bytes of onnxruntime-web's wasm file (vite.config.ts). */
declare const onnxruntimeBytes: number;
