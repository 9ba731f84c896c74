// The model that is open on the site: the tab Simplify and the other tabs have the same one. Each has workers of its own for it,
// which begin when the first such tab is shown.
import { writeAddressSoon } from '../address.js';
import { change, current, onChange, type State } from '../state.js';
import { type KeptModel, keptModel } from './kept.js';
import { nameOfSample, sampleNamed } from './sample-models.js';

type ModelPage = 'models' | 'simplify';

let shared: KeptModel | undefined;
const listeners = new Set<(model: KeptModel | undefined) => void>();

/** Calls `listener` whenever another model is open, or none. */
export function onSharedModel(listener: (model: KeptModel | undefined) => void): void {
  listeners.add(listener);
}

/** To be called by the page that has opened a model, or closed it. */
export function shareModel(model: KeptModel | undefined): void {
  const isOther = shared !== model;
  shared = model;
  if (isOther) for (const listener of listeners) listener(model);
  nameInAddress();
}

/** Writes the sample that is open into the address; a file of somebody's disk has none. */
function nameInAddress(): void {
  const { route } = current();
  const sample = shared && nameOfSample(shared.source);
  const unlinked = shared !== undefined && sample === undefined ? shared.name : undefined;
  const isModelPage = route.page === 'models' || route.page === 'simplify';
  change({ unlinked, ...(isModelPage ? { route: { ...route, model: sample } } : {}) });
  writeAddressSoon();
}

const askedIn = ({ route }: State, page: ModelPage): string | undefined =>
  route.page === page ? (route.model ?? '') : undefined;

interface Opener {
  readonly open: (model: KeptModel, isKept: boolean) => void;
  /** The model that the page has open or reads; undefined for none. */
  readonly current: () => KeptModel | undefined;
  readonly isReading: () => boolean;
}

/** Opens what the address asks for, or what the other tabs have opened, or what a reload has closed. */
export function followModel(page: ModelPage, { open, current: own, isReading }: Opener): void {
  let isFirst = true;
  const follow = async (): Promise<void> => {
    const asked = sampleNamed(askedIn(current(), page) ?? '');
    const wasFirst = isFirst;
    isFirst = false;
    const kept = wasFirst && shared === undefined ? await keptModel() : undefined;
    const before = shared ?? kept;
    const isOther = asked !== undefined && asked.source !== before?.source;
    const wanted = isOther ? asked : before;
    if (isReading() || wanted === undefined) return;
    if (wanted !== own() && (wanted.source !== own()?.source || !isOther))
      open(wanted, !isOther && shared === undefined);
    else nameInAddress();
  };
  onChange((state, before) => {
    const asked = askedIn(state, page);
    if (asked !== undefined && asked !== askedIn(before, page)) void follow();
  });
  if (askedIn(current(), page) !== undefined) void follow();
}
