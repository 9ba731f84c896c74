import { invalidArgument } from '../basics/error.js';
import { checkedFile } from '../basics/file-bytes.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import type { Context } from '../calls/context.js';
import { type Model, newModel, readExternal } from './model.js';
import { type ModelOptions, modelOptions } from './options.js';

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
  memory.check(
    memory.glue.readModelFile(
      file,
      allowUnsupported ? 1 : 0,
      (external === undefined ? 0 : 1) + (optimize === false ? 2 : 0) + (emptyShapes === 'any' ? 4 : 0),
    ),
  );
  const model = newModel(context, registry);
  if (external !== undefined) readExternal(model, memory, external, allowUnsupported);
  return model;
}
