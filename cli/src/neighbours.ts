// The files beside a model that hold its weights, while it is simplified.
import { dirname } from 'node:path';
import type { FileParts } from 'broadloom';
import { quote, visible } from '../../shared/visible.js';
import { Failure } from './errors.js';
import { externalPlaces, openParts, realPath } from './files.js';

const longestList = 10;

/** Reads files beside a model, and keeps in mind why some cannot be read. */
export class Neighbours {
  /** By their locations. */
  readonly unread = new Map<string, string>();
  /** Where those lie that are there. */
  readonly #paths = new Set<string>();
  readonly #place: (location: string) => string;

  constructor(model: string) {
    const place = externalPlaces(model);
    this.#place = (location) => {
      const path = place(location);
      this.#paths.add(path);
      return path;
    };
  }

  #note(location: string, error: unknown): undefined {
    if (!(error instanceof Failure)) throw error;
    this.unread.set(location, error.message);
  }

  readonly read = (location: string): FileParts | undefined => {
    try {
      return openParts(this.#place(location));
    } catch (error) {
      return this.#note(location, error);
    }
  };

  /** The reasons why files cannot be read, also for entries of `files` that nobody asked for. */
  warnings(files: readonly string[]): string[] {
    for (const location of files) {
      try {
        this.#place(location);
      } catch (error) {
        this.#note(location, error);
      }
    }
    return [...this.unread.values()];
  }

  /** Refuses to write over one of those that were asked for. */
  checkTarget(path: string): void {
    const target = realPath(path);
    if (target !== undefined && this.#paths.has(target))
      throw new Failure(`cannot write ${quote(path)}: it holds weights of the model`);
  }
}

/** Advice to copy files beside the model that its result, at `out`, refers to; none where the result is beside them, too. */
export function copyWarnings(model: string, out: string, files: readonly string[]): string[] {
  const [from, to] = [dirname(model), out === '-' ? undefined : dirname(out)];
  if (files.length === 0 || (model !== '-' && to !== undefined && realPath(from) === realPath(to))) return [];
  const names = files.slice(0, longestList).map((file) => `'${visible(file)}'`);
  const rest = files.length - names.length;
  const what = `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}${model === '-' ? '' : ` from '${from}'`}`;
  return [
    `the weights are in files that the result looks for in its own folder: copy ${what} to ${to === undefined ? 'that' : `'${to}'`}`,
  ];
}
