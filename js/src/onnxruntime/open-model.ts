// Models of sessions, which outlive their runtimes and workers.
import { tagOf } from '../basics/show.js';
import { type Model, OnnxError, type RemoteModel, type TensorLike } from '../entries/index.js';
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
  readonly #open: () => Promise<AnyModel>;
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
    this.#model.dispose();
  }
}

/** The bytes that are looked at to tell one file from another. */
const mostSamples = 65_536;

/** A number that differs where files differ in many bytes. */
function sumOf(file: Uint8Array): number {
  const step = Math.ceil(file.length / mostSamples) || 1;
  let sum = file.length | 0;
  for (let i = 0; i < file.length; i += step) sum = Math.imul(sum ^ (file[i] as number), 0x01000193);
  return sum;
}

/** A copy of bytes outside of JavaScript's heap; addresses and Blobs are kept as they are. */
function kept<F>(file: F): F | Blob {
  const isBytes = ArrayBuffer.isView(file) || /^(Shared)?ArrayBuffer$/.test(tagOf(file));
  try {
    return isBytes ? new Blob([file as Uint8Array<ArrayBuffer>]) : file;
  } catch {
    return file; // its buffer was transferred, which the reader of the file tells
  }
}

type ExternalData = readonly ExternalDataFileType[] | undefined;

/** The files of a session's model, so that it can be opened again. Bytes are copied: the program may write over its own. */
export class ModelSource {
  readonly model: unknown;
  readonly externalData: ExternalData;
  #sum = 0;

  constructor(model: unknown, externalData: ExternalData) {
    this.model = kept(model);
    this.externalData = Array.isArray(externalData)
      ? externalData.map((one) => (typeof one === 'object' && one !== null ? { ...one, data: kept(one.data) } : one))
      : externalData;
  }

  /** Takes note of the model's file. */
  note(file: Uint8Array): void {
    this.#sum = sumOf(file);
  }

  /** Fails where an address leads to another file. */
  check(file: Uint8Array): void {
    if (sumOf(file) === this.#sum) return;
    const text = `the session's runtime has ended, and ${this.model} has another file since: create a new session`;
    throw new OnnxError('DISPOSED', text);
  }
}
