import type { FileParts, PendingPart } from './file-parts.js';
import type { Model } from './model.js';
import type { ModelOptions } from './options.js';

/** A runtime, as far as models are loaded. */
export interface Loader {
  loadModel(bytes: Uint8Array, options?: ModelOptions): Model;
}

/** Gives a file beside a model, whose parts have to be waited for. */
export type PendingFiles = (location: string) => PromiseLike<FileParts<PendingPart> | undefined>;

/** Loads a model whose files have to be waited for, though `loadModel` wants them at once: the parts that hold weights are read before. */
export async function loadWithFiles(
  ops: Loader,
  bytes: Uint8Array,
  options: Omit<ModelOptions, 'external'>,
  getFile: PendingFiles,
): Promise<Model> {
  const places = placesOf(ops.loadModel(bytes, { ...options, allowUnsupported: true, external: () => undefined }));
  const files = new Map<string, FileParts<PendingPart> | undefined>();
  const parts = new Map<string, Uint8Array>();
  for (const { location, offset, length } of places) {
    if (!files.has(location)) files.set(location, await getFile(location));
    const file = files.get(location);
    // A part that is not there has its error from loadModel.
    if (file !== undefined && offset + length <= file.size)
      parts.set(`${offset} ${length} ${location}`, await file.read(offset, length));
  }
  const external = (location: string): FileParts | undefined => {
    const file = files.get(location);
    const read = (offset: number, length: number) => parts.get(`${offset} ${length} ${location}`) as Uint8Array;
    return file && { size: file.size, read };
  };
  return ops.loadModel(bytes, { ...options, external });
}

/** The parts of other files that have weights of a model, which is disposed of. */
function placesOf(model: Model) {
  const places = model.initializers.flatMap(({ external, bytes }) =>
    external === null ? [] : [{ location: external.location, offset: external.offset, length: bytes }],
  );
  model.dispose();
  return places;
}
