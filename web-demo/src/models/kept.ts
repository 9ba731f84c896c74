// Keeps the open model in the browser, so that a reload opens it again. IndexedDB has the file. The storage of the tab has the
// drafts of its inputs, which are small and change at every key.
import { createStore, delMany, get, keys, set } from 'idb-keyval';
import { lieOutside, type TensorDraft } from '../drafts.js';
import { newestOpset } from '../facts.js';
import { callToLink, linkToCall } from '../link.js';

/** The tensor that each input is fed. */
export interface Feeds {
  readonly [input: string]: TensorDraft;
}

export interface KeptModel {
  readonly name: string;
  /** A file, or the address of a sample. */
  readonly source: Blob | string;
  /** The files beside it that it has data in. */
  readonly beside?: readonly File[];
}

/** The outcome of keeping a model. */
export type Keeping = 'kept' | 'tooLarge' | 'refused';

export const largestKept = 250e6;
/** One for each tab, as far as they are few; what other tabs have left goes first. */
const mostKept = 3;

const store = (): ReturnType<typeof createStore> => createStore('broadloom', 'models');
const keyName = 'model';
const feedsName = 'model-feeds';

export async function keepModel(model: KeptModel): Promise<Keeping> {
  try {
    sessionStorage.removeItem(keyName);
    const blobs = [model.source, ...(model.beside ?? [])].filter((source) => typeof source !== 'string');
    if (blobs.reduce((sum, { size }) => sum + size, 0) > largestKept) return 'tooLarge';
    const key = Date.now();
    await set(key, model, store());
    sessionStorage.setItem(keyName, String(key));
    const others = (await keys<number>(store())).filter((other) => other !== key).sort((a, b) => b - a);
    await delMany(others.slice(mostKept - 1), store());
    return 'kept';
  } catch {
    return 'refused'; // a browser that stores nothing, or has no room
  }
}

/** The model that this tab has kept. */
export async function keptModel(): Promise<KeptModel | undefined> {
  try {
    const key = sessionStorage.getItem(keyName);
    return key === null ? undefined : await get<KeptModel>(Number(key), store());
  } catch {
    return undefined;
  }
}

export async function forgetModel(): Promise<void> {
  try {
    const key = sessionStorage.getItem(keyName);
    sessionStorage.removeItem(keyName);
    sessionStorage.removeItem(feedsName);
    if (key !== null) await delMany([Number(key)], store());
  } catch {}
}

/** Keeps drafts as the inputs of a call are kept in a link; those whose values lie outside are lost. */
export function keepFeeds(feeds: Feeds): void {
  const small = Object.entries(feeds).filter(([, { values }]) => !lieOutside(values));
  const inputs = small.map(([, draft]) => draft);
  const link = callToLink({ operator: 'Identity', opset: newestOpset, inputs, attributes: {} });
  try {
    sessionStorage.setItem(feedsName, JSON.stringify({ names: small.map(([name]) => name), link }));
  } catch {}
}

export function keptFeeds(): Feeds {
  try {
    const { names, link } = JSON.parse(sessionStorage.getItem(feedsName) ?? '{}');
    const inputs = linkToCall(link)?.inputs ?? [];
    return Object.fromEntries(inputs.flatMap((draft, i) => (draft === null ? [] : [[names[i], draft]])));
  } catch {
    return {};
  }
}
