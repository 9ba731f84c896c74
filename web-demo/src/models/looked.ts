// The value whose elements are shown beside the drawing: an initializer, an attribute, or what flows along an edge in a run.
import { unanswered } from '../runtime/client.js';
import type { Refusal, TensorReport } from '../runtime/protocol.js';
import { change, current } from '../state.js';
import { passFocus } from '../views/pass-focus.js';
import { type Chosen, choose } from './choice.js';
import { Stopped } from './connection.js';
import { feedsOf, isTensorInput } from './feeds.js';
import type { ReadAnswer } from './protocol.js';
import { askModel, currentSession, keepSent, onOther, openReport, runFor } from './session.js';

export interface Looked {
  /** Which value it is: equal texts are the same value. */
  readonly key: string;
  readonly name: string;
  /** The edits of the inputs that a run had; undefined where none was needed. */
  readonly feeds: object | undefined;
  /** Undefined while it is read. */
  readonly outcome: TensorReport | Refusal | 'stopped' | undefined;
}

const owner = 'looked';
let looked: Looked | (Omit<Looked, 'outcome'> & { readonly outcome: 'ofRun' }) | undefined;

onOther(() => {
  looked = undefined;
});

/** A value that the last run gave as an output of the model. */
function ofRun(name: string): Pick<Looked, 'feeds' | 'outcome'> | undefined {
  const { ran } = currentSession();
  if (typeof ran?.outcome !== 'object' || !ran.outcome.ok) return undefined;
  const report = ran.outcome.outputs.find((output) => output.name === name);
  return report && { feeds: ran.feeds, outcome: report };
}

/** A value of the last run is gone with that run. */
export function currentLooked(): Looked | undefined {
  if (looked?.outcome !== 'ofRun') return looked as Looked | undefined;
  const run = ofRun(looked.name);
  return run && { ...looked, ...run };
}

export function closeLooked(): void {
  looked = undefined;
  change({});
}

async function look(
  key: string,
  name: string,
  feeds: object | undefined,
  read: () => Promise<TensorReport | Refusal>,
): Promise<void> {
  const asked: Looked = { key, name, feeds, outcome: undefined };
  looked = asked;
  change({});
  const outcome = await read().catch((error: unknown) =>
    error instanceof Stopped ? ('stopped' as const) : unanswered(error),
  );
  if (looked !== asked) return;
  passFocus('looked-stop', 'looked-close');
  looked = { ...asked, outcome };
  change({});
}

async function kept(answer: ReadAnswer | Refusal): Promise<TensorReport | Refusal> {
  if (!answer.ok) return answer;
  const [report] = await keepSent(owner, [answer]);
  return report as TensorReport;
}

export const initializerKey = (index: number): string => `initializer ${index}`;
export const attributeKey = (path: string, name: string): string => `attribute ${path} ${name}`;
export const valueKey = (name: string): string => `value ${name}`;

export function lookAtInitializer(index: number): void {
  const name = openReport()?.initializers[index]?.name ?? '';
  void look(initializerKey(index), name, undefined, async () =>
    kept(await askModel<ReadAnswer | Refusal>((worker) => worker.initializer(index, `${owner}#0`))),
  );
}

export function lookAtAttribute(path: string, name: string): void {
  void look(attributeKey(path, name), name, undefined, async () =>
    kept(await askModel<ReadAnswer | Refusal>((worker) => worker.attribute(path, name, `${owner}#0`))),
  );
}

/** Shows a value of the model's own graph: what the last run gave, or else the model runs as far as the value needs. */
export function lookAtValue(name: string): void {
  const report = openReport();
  if (report === undefined) return;
  const { feeds } = current();
  if (ofRun(name)?.feeds === feeds) {
    looked = { key: valueKey(name), name, feeds, outcome: 'ofRun' };
    change({});
    return;
  }
  void look(valueKey(name), name, feeds, async () => {
    const run = await runFor(feedsOf(feeds, report.inputs.filter(isTensorInput)), owner, [name]);
    return run.ok ? (run.outputs[0] as TensorReport) : run;
  });
}

/** Chooses a value. If the last run gave it, its elements are shown at once. */
export function chooseValue(value: Exclude<Chosen, { kind: 'node' }>): void {
  const { place, name } = value;
  const isGiven = place === '' && ofRun(name) !== undefined;
  if (isGiven) looked = { key: valueKey(name), name, feeds: current().feeds, outcome: 'ofRun' };
  else if (looked?.key !== valueKey(name)) looked = undefined;
  choose(value);
}
