// The files that a person gives to a page.
import type { Refusal } from './protocol.js';

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
