// Time and memory of the nodes in the last run. The page asks for them after each short run, and after a long run when the user
// does.
import { unanswered } from '../runtime/client.js';
import type { Refusal } from '../runtime/protocol.js';
import { change } from '../state.js';
import { Stopped } from './connection.js';
import { feedsOf, isTensorInput } from './feeds.js';
import { everyNode, type NodePath } from './graphs.js';
import type { ModelReport, ProfileAnswer, ReportNode } from './protocol.js';
import { askModel, currentSession, feedsFrom, onOther, openReport, type Ran, shownRun } from './session.js';

type Outcome = ProfileAnswer | Refusal | 'stopped';

interface Profile {
  /** Undefined while it is measured. */
  readonly outcome: Outcome | undefined;
  /** The profile of the run before, which is shown meanwhile. */
  readonly before: ProfileAnswer | undefined;
}

let profile: (Profile & { readonly ran: Ran }) | undefined;

onOther(() => {
  profile = undefined;
});

/** The profile of the run that is shown; undefined if there is none. */
export function currentProfile(): Profile | undefined {
  return profile?.ran === shownRun() ? profile : undefined;
}

/** The rows that are shown: the rows of the run before, until the last run is measured. */
export function shownRows(): ProfileAnswer | undefined {
  const now = currentProfile();
  const outcome = now?.outcome ?? now?.before;
  return typeof outcome === 'object' && outcome.ok ? outcome : undefined;
}

/** Measures the nodes with the inputs of the last run. */
export async function measureNodes(): Promise<void> {
  const { ran } = currentSession();
  const inputs = openReport()?.inputs.filter(isTensorInput);
  if (ran === undefined || inputs === undefined) return;
  const last = profile?.outcome ?? profile?.before;
  const asked = { ran, outcome: undefined, before: typeof last === 'object' && last.ok ? last : undefined };
  profile = asked;
  change({});
  const measure = async (): Promise<ProfileAnswer | Refusal> => {
    const made = await feedsFrom(feedsOf(ran.feeds, inputs));
    return made.ok ? askModel<ProfileAnswer | Refusal>((worker) => worker.profile(made.feeds)) : made;
  };
  const outcome = await measure().catch((error: unknown) =>
    error instanceof Stopped ? ('stopped' as const) : unanswered(error),
  );
  if (profile !== asked) return;
  profile = { ran, outcome, before: undefined };
  change({});
}

/** Microseconds: a longer run is not measured unless somebody asks. */
const long = 2_000_000;

/** Measures the nodes after a run that was short. */
export function measureAfterRun(): void {
  const outcome = currentSession().ran?.outcome;
  if (typeof outcome === 'object' && outcome.ok && outcome.firstTime < long) void measureNodes();
}

/** A node with its part in the time and the memory of a run. */
export interface Measured {
  readonly path: NodePath;
  /** The place of the node among all nodes. */
  readonly index: number;
  readonly node: ReportNode;
  readonly microseconds: number;
  readonly bytes: number;
  readonly calls: number;
  readonly fusedInto: string | undefined;
}

const measured = new WeakMap<ProfileAnswer, readonly Measured[]>();

/** The nodes that ran. */
export function measuredNodes(report: ModelReport, answer: ProfileAnswer): readonly Measured[] {
  let rows = measured.get(answer);
  if (rows === undefined) {
    rows = everyNode(report.nodes).flatMap(({ path, node }, index) => {
      const row = answer.nodes[index];
      if (row === undefined || (row.calls === 0 && row.fusedInto === undefined)) return [];
      const { microseconds, bytes, calls, fusedInto } = row;
      return [{ path, index, node, microseconds, bytes, calls, fusedInto }];
    });
    measured.set(answer, rows);
  }
  return rows;
}

type Heat = ReadonlyMap<NodePath, number>;
const heats = new WeakMap<ProfileAnswer, Heat>();

/** The time of each node relative to the slowest one, by its path. */
export function heatOf(report: ModelReport): Heat | undefined {
  const answer = shownRows();
  if (answer === undefined) return undefined;
  let heat = heats.get(answer);
  if (heat === undefined) {
    const rows = measuredNodes(report, answer);
    const most = rows.reduce((max, { microseconds }) => Math.max(max, microseconds), 0);
    heat = new Map(rows.map(({ path, microseconds }) => [path, most === 0 ? 0 : microseconds / most]));
    heats.set(answer, heat);
  }
  return heat;
}
