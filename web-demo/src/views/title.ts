// The title of the page: what its call does, or its name.
import type { CallDraft } from '../drafts.js';
import { operatorOf, typesOf, versionOf } from '../facts.js';
import { callOf } from '../stage/calls.js';
import type { State } from '../state.js';
import { homeTexts } from '../texts/home.js';
import { siteTexts } from '../texts/site.js';
import { clipped } from '../values/visible.js';
import { showDims } from './units.js';

const longestDims = 40;

/** Whether the first input is a tensor like any other, not a list of sizes. */
function takesAnything({ operator, opset }: CallDraft): boolean {
  const known = operatorOf(operator);
  const version = known && versionOf(known, opset);
  const type = version?.inputs[0]?.type;
  return version !== undefined && type !== undefined && typesOf(version, type).length > 1;
}

/** The call in words, such as `Expand [3, 1] to [2, 3, 6]`; its operator as long as there is no result. */
export function callTitle(state: State): string | undefined {
  const call = callOf(state);
  if (call === undefined) return undefined;
  const { report, reported, problem, language } = state;
  const output = report?.outputs[0];
  if (reported !== call || problem !== undefined || output === undefined) return call.operator;
  const input = takesAnything(call) ? report?.inputs[0] : undefined;
  const [from, to] = [input, output].map((tensor) => tensor && clipped(showDims(tensor.dims), longestDims));
  return from ? siteTexts[language].call(call.operator, from, to as string) : `${call.operator} ${to}`;
}

export function pageTitle(state: State): string {
  const t = siteTexts[state.language];
  const { route } = state;
  if (route.page === 'home') return homeTexts[state.language].title;
  if (route.page === 'unknown')
    return t.title(t.unknown[route.what](route.name, 'operator' in route ? route.operator : ''));
  if (route.page === 'embed') return t.title(callTitle(state) ?? '');
  return t.title(callTitle(state) ?? ('operator' in route ? route.operator : t.pages[route.page]));
}
