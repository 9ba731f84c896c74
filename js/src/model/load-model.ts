import { invalidArgument } from '../basics/error.js';
import { checkedFile } from '../basics/file-bytes.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import type { Context } from '../calls/context.js';
import { type Model, newModel, readExternal } from './model.js';
import { type ModelOptions, modelOptions } from './options.js';

/** How the core reads a model (readModelFile in bindings/model_exports.cpp). */
interface ModelRequest {
  readonly allowUnsupported: boolean;
  /** Elements in other files will be given. */
  readonly external: boolean;
  /** Without it, every node is computed by itself. */
  readonly optimize: boolean;
  /** Inputs whose shape has no axes take any dims. */
  readonly anyShapes: boolean;
}

/** Does the work of {@link Runtime.loadModel}. `registry` frees models that JavaScript has collected. @internal */
export function loadModel(
  context: Context,
  registry: FinalizationRegistry<{ handle: number }>,
  bytes: Uint8Array,
  options: ModelOptions | undefined,
): Model {
  const { memory } = context;
  const { allowUnsupported, emptyShapes, external, optimize } = checkedOptions('loadModel: ', options, modelOptions);
  if (optimize !== undefined && typeof optimize !== 'boolean')
    throw invalidArgument(`loadModel: optimize is ${show(optimize)}, wanted true or false`);
  if (emptyShapes !== undefined && emptyShapes !== 'scalar' && emptyShapes !== 'any')
    throw invalidArgument(`loadModel: emptyShapes is ${show(emptyShapes)}, wanted 'scalar' or 'any'`);
  if (external !== undefined && typeof external !== 'function')
    throw invalidArgument(
      `loadModel: external is ${show(external)}, wanted a function that returns the bytes of a file`,
    );
  const file = memory.file(checkedFile('loadModel', bytes), false);
  const request: ModelRequest = {
    allowUnsupported: Boolean(allowUnsupported),
    external: external !== undefined,
    optimize: optimize ?? true,
    anyShapes: emptyShapes === 'any',
  };
  memory.begin();
  memory.json(request);
  memory.check(memory.glue.readModelFile(file));
  const model = newModel(context, registry);
  if (external !== undefined) readExternal(model, memory, external, allowUnsupported);
  return model;
}
