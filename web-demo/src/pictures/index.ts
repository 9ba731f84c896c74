// Which operators have a picture of their own. Drawings are fetched when a call of their operator is first shown.
import { nothing, type TemplateResult } from 'lit-html';
import type { CallDraft } from '../drafts.js';
import type { CallReport } from '../runtime/protocol.js';
import { change, type State } from '../state.js';
import type { PictureGiven } from './element.js';
import { families } from './families.js';

type Load = (typeof families)[number][1];

const loads = new Map<string, Load>(
  families.flatMap(([operators, load]) => operators.split(' ').map((name): [string, Load] => [name, load])),
);

interface Fetched {
  readonly element: typeof import('./element.js');
  readonly drawing: PictureGiven['drawing'];
}

const coming = new Map<Load, Promise<Fetched | undefined>>();
const known = new Map<Load, Fetched>();

async function fetchDrawing(load: Load): Promise<Fetched | undefined> {
  try {
    const [element, { drawing }] = await Promise.all([import('./element.js'), load()]);
    known.set(load, { element, drawing });
    change({});
    return known.get(load);
  } catch {
    coming.delete(load); // the page serves without it
    return undefined;
  }
}

function fetched(operator: string): Promise<Fetched | undefined> | undefined {
  const load = loads.get(operator);
  if (load === undefined) return undefined;
  const found = coming.get(load) ?? fetchDrawing(load);
  coming.set(load, found);
  return found;
}

/** Fetches the drawing of an operator, if it has one: before its call is answered, mostly. */
export function expectPicture(operator: string): void {
  void fetched(operator);
}

/** Waits for the first picture of an operator, so that it comes with the result, and moves nothing. */
export async function firstPicture(language: State['language'], call: CallReport, draft: CallDraft): Promise<void> {
  const found = await fetched(call.operator);
  await found?.element.prepare({ language, call, draft, drawing: found.drawing });
}

/** The picture of a call; nothing where its operator has none, or where the drawing is on its way. */
export function pictureOf({ language, reported }: State, call: CallReport): TemplateResult | typeof nothing {
  const load = loads.get(call.operator);
  const found = load && known.get(load);
  if (found === undefined || reported === undefined) return nothing;
  return found.element.pictureView({ language, call, draft: reported, drawing: found.drawing });
}
