import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import type { ExternalFiles } from './external.js';

/** Options of {@link Runtime.loadModel}. */
export interface ModelOptions {
  /**
   * Whether a model may hold what Broadloom cannot run: operators and domains that it does not have, element types that an
   * operator's version does not take, initializers in other files, and, between nodes, values that are not tensors. Such a model
   * can be described (see {@link Model.nodes}), and runs if the values in `RunOptions.outputs` need none of these. Default:
   * false.
   */
  allowUnsupported?: boolean | undefined;
  /**
   * The dims that an input may have whose declared shape has no axes: none (`scalar`), as ONNX's text says, or `any`, as in
   * onnxruntime. Default: `scalar`.
   */
  emptyShapes?: 'scalar' | 'any' | undefined;
  /**
   * Gives the files in which initializers have their elements. It is called once with each location that the model names. It
   * returns the content of the file; or `{ size, read }`, whose parts are read when they are needed; or undefined for a missing
   * file. {@link filesBeside} makes this function for a local file. Locations are relative to the model's folder and never lead
   * out of it. A model whose files are not all there is refused. With `allowUnsupported` it is read, and a run that needs one of
   * them fails and names it.
   */
  external?: ExternalFiles | undefined;
  /**
   * Whether runs may do more than compute node by node, such as fusing elementwise nodes and computing a node once that is
   * there twice. Results have the same bits either way. `false` helps to find the node that a problem comes from. Default: true.
   */
  optimize?: boolean | undefined;
}

/** Options of {@link Model.run} and {@link Model.profile}. */
export interface RunOptions<N extends string = string> {
  /**
   * Names of the values to return in place of the model's outputs: its outputs, values that nodes of its graph make, inputs
   * and initializers. Only the nodes that these need are run, and only the inputs that those read must be fed. A part of the
   * model that is not needed may be one that Broadloom cannot run.
   */
  outputs?: readonly N[] | undefined;
}

/** @internal */
export const modelOptions = ['allowUnsupported', 'emptyShapes', 'external', 'optimize'];
/** @internal */
export const runOptions = ['outputs'];

const none: readonly string[] = [];

/** The names in the option `outputs`, each once; none without the option. @internal */
export function readOutputs(method: string, options: RunOptions | undefined): readonly string[] {
  if (options == null) return none;
  const { outputs } = checkedOptions(`${method}: `, options, runOptions);
  if (outputs === undefined) return none;
  if (!Array.isArray(outputs)) throw invalidArgument(`${method}: outputs is ${show(outputs)}, wanted a list of names`);
  const names = new Set<string>();
  for (const name of outputs as readonly unknown[]) {
    if (typeof name !== 'string') throw invalidArgument(`${method}: outputs has ${show(name)}, wanted names`);
    names.add(name);
  }
  if (names.size === 0) throw invalidArgument(`${method}: outputs is an empty list, wanted names of values`);
  return [...names];
}
