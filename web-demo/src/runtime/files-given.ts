// The files that a person gives to a page.
import type { Refusal } from './protocol.js';

/** The name of a file beside a model, by which it is known: a page sees no folders. */
export const nameIn = (location: string): string => location.slice(location.lastIndexOf('/') + 1);

/** The one that is a model; the only one may have any name. */
export function modelAmong(files: readonly File[]): File | undefined {
  return files.find(({ name }) => /\.onnx$/i.test(name));
}

/** Whether a file is a picture or a sound, by its name: no model, and meant for an input of one. */
export function isMedia({ type }: File): boolean {
  return /^(?:image|audio|video)\//.test(type);
}

/** Whether files can only be meant for the model that is there, which has data in files at these locations. */
export function areBeside(files: readonly File[], locations: readonly string[]): boolean {
  const names = new Set(locations.map(nameIn));
  return modelAmong(files) === undefined && files.some(({ name }) => names.has(name));
}

/** The files beside a model together with new files, which replace files of the same names. */
export function withFiles(beside: readonly File[], files: readonly File[]): File[] {
  const names = new Set(files.map(({ name }) => name));
  return [...beside.filter(({ name }) => !names.has(name)), ...files];
}

/** A file that was dropped or chosen, or what lies at an address. */
export async function readSource(given: Blob | string, options?: RequestInit): Promise<Blob | Refusal> {
  try {
    if (typeof given === 'string') {
      const response = await fetch(given, options);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      return await response.blob();
    }
    await given.slice(0, 1).arrayBuffer(); // a folder, or a file that is gone, fails here
    return given;
  } catch (error) {
    return { ok: false, problem: { place: 'file', message: String(error) } };
  }
}
