import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import type { Memory } from '../calls/memory.js';

/**
 * The most that files and calls may ask for: for pages and servers that read files of strangers. A call that would exceed one of them
 * throws an {@link OnnxError} `LIMIT_EXCEEDED` that names it and its value; nothing is changed, and the runtime goes on.
 * `Infinity` lifts a limit. All tensors together have at most `maximumMemory`.
 */
export interface Limits {
  /** Bytes of one file, and of the elements of one tensor. Default: as many as the memory holds. */
  bytes?: number | undefined;
  /** Elements of one tensor, when they are made; a view of fewer elements may have larger dims. Default: as many as the memory holds. */
  elements?: number | undefined;
  /** Nodes of one model, with those of its subgraphs and of each call of a function. Default: 1,000,000. */
  nodes?: number | undefined;
  /** Graphs and functions in one another. Default, and most: 32, as other runtimes read. */
  nesting?: number | undefined;
  /**
   * The time of one call, or of reading a tensor's elements. It is looked at between nodes and within kernels, every few
   * milliseconds. Default: 300,000.
   */
  milliseconds?: number | undefined;
}

const names = ['bytes', 'elements', 'nodes', 'nesting', 'milliseconds'] satisfies (keyof Limits)[];

/** Sets the limits of a new runtime. The core has the defaults, and knows which values are none. @internal */
export function setLimits(memory: Memory, limits: Limits | undefined): void {
  const options: { readonly [name: string]: unknown } = { ...checkedOptions('load: limits: ', limits, names) };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  memory.begin();
  memory.number(given.length);
  for (const [name, value] of given) {
    if (typeof value !== 'number') throw invalidArgument(`load: limits.${name} is ${show(value)}, wanted a number`);
    memory.string(name);
    memory.number(value);
  }
  memory.check(memory.glue.setLimits());
}
