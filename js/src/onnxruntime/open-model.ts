// Models of sessions, which outlive their runtimes and workers.
import { type Model, OnnxError, type RemoteModel, type TensorLike } from '../entries/index.js';
import { keptFile } from '../model/file-parts.js';
import { absolute } from '../model/local-file.js';
import { copyOf } from './data.js';
import type { ExternalDataFileType } from './session.js';

/** A model in this thread or in a worker. */
export type AnyModel = Model | RemoteModel;

type Feeds = Readonly<Record<string, TensorLike>>;

const isEnded = (error: unknown) => (error as Partial<OnnxError>).code === 'DISPOSED';

/** Feeds with elements of their own. */
function copiesOf(feeds: Feeds): Feeds {
  const copy = ({ type, dims, data }: TensorLike) => ({ type, dims, data: copyOf(data) }) as TensorLike;
  return Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, copy(feed)]));
}

/** A model that is opened again when its runtime, or its worker, has ended. */
export class OpenModel {
  #open: () => Promise<AnyModel>;
  readonly #isRemote: boolean;
  #model: AnyModel;
  #isReleased = false;
  #opening: Promise<void> | undefined;

  /**
   * @param open - opens the model once more
   * @param isRemote - whether it is in a worker, whose end is heard when the caller may have changed the feeds
   */
  constructor(model: AnyModel, open: () => Promise<AnyModel>, isRemote: boolean) {
    this.#model = model;
    this.#open = open;
    this.#isRemote = isRemote;
  }

  get current(): AnyModel {
    return this.#model;
  }

  /** Works with the model and feeds. Does so again with a model that was opened anew, where the first one has ended. */
  async use<R>(given: Feeds, work: (model: AnyModel, feeds: Feeds) => R | Promise<R>): Promise<R> {
    const model = this.#model;
    let feeds = this.#isRemote && !this.#isReleased ? copiesOf(given) : given;
    try {
      const result = work(model, feeds);
      return result instanceof Promise ? await result : result;
    } catch (error) {
      if (!isEnded(error) || this.#isReleased) throw error;
      if (!this.#isRemote) feeds = copiesOf(given);
    }
    if (this.#model === model) {
      this.#opening ??= this.#openAgain();
      await this.#opening;
    }
    return work(this.#model, feeds);
  }

  async #openAgain(): Promise<void> {
    try {
      this.#model = await this.#open();
      if (this.#isReleased) this.#model.dispose();
    } finally {
      this.#opening = undefined;
    }
  }

  release(): void {
    this.#isReleased = true;
    this.#open = () => Promise.reject(new OnnxError('DISPOSED', 'this session was released')); // lets go of its files
    this.#model.dispose();
  }
}

/** A number that differs where files differ. */
function sumOf(file: Uint8Array): number {
  const { buffer, byteOffset, length } = file.byteOffset % 4 === 0 ? file : file.slice();
  const step = (sum: number, more: number | undefined) => Math.imul(sum ^ (more as number), 0x01000193);
  // Four sums side by side: each step waits for the one before, and a model may have gigabytes.
  const words = new Int32Array(buffer, byteOffset, (length >> 4) * 4);
  let [a, b, c, d] = [length | 0, 1, 2, 3];
  for (let i = 0; i < words.length; i += 4) {
    a = step(a, words[i]);
    b = step(b, words[i + 1]);
    c = step(c, words[i + 2]);
    d = step(d, words[i + 3]);
  }
  return [b, c, d, ...file.subarray(words.length * 4)].reduce(step, a);
}

/** A file as it is now, wherever the program goes and whatever it writes over. */
const kept = <F>(file: F) => (typeof file === 'string' ? absolute(file) : keptFile(file));

/** A file of weights, likewise. Another value stays: the reader of files refuses it. */
function keptOf(one: ExternalDataFileType): ExternalDataFileType {
  if (typeof one === 'string') return { path: one, data: absolute(one) };
  return typeof one === 'object' && one !== null ? { ...one, data: kept(one.data) } : one;
}

type ExternalData = readonly ExternalDataFileType[] | undefined;

/** The files of a session's model, so that it can be opened again. Bytes are copied: the program may write over its own. */
export class ModelSource {
  /** The address of the model, as it was given. */
  readonly address: string | undefined;
  readonly model: unknown;
  readonly externalData: ExternalData;
  readonly #sums = new Map<string, number>();

  constructor(model: unknown, externalData: ExternalData) {
    this.address = typeof model === 'string' ? model : undefined;
    this.model = kept(model);
    this.externalData = Array.isArray(externalData) ? externalData.map(keptOf) : externalData;
  }

  /** Takes note of the bytes of a file, or of a part of it. Fails where they were others before. */
  check(name: string, bytes: Uint8Array, part = ''): void {
    const place = `${name} ${part}`;
    const sum = sumOf(bytes);
    const before = this.#sums.get(place) ?? sum;
    this.#sums.set(place, before);
    if (sum === before) return;
    const text = `the session's runtime has ended, and ${name} has another content since: create a new session`;
    throw new OnnxError('DISPOSED', text);
  }
}
