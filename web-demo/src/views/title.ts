// The title of the page: what its call does, or its name.
import { callOf } from '../stage/calls.js';
import type { State } from '../state.js';
import { siteTexts } from '../texts/site.js';
import { showDims } from './units.js';

/** The call in words, such as `Expand [3, 1] to [2, 3, 6]`; its operator as long as there is no result. */
export function callTitle(state: State): string | undefined {
  const call = callOf(state);
  if (call === undefined) return undefined;
  const { report, reported, problem, language } = state;
  const output = report?.outputs[0];
  if (reported !== call || problem !== undefined || output === undefined) return call.operator;
  const input = report?.inputs.find((candidate) => candidate !== null);
  const to = showDims(output.dims);
  return input ? siteTexts[language].call(call.operator, showDims(input.dims), to) : `${call.operator} ${to}`;
}

export function pageTitle(state: State): string {
  const t = siteTexts[state.language];
  const { route } = state;
  if (route.page === 'unknown')
    return t.title(t.unknown[route.what](route.name, 'operator' in route ? route.operator : ''));
  if (route.page === 'embed') return t.title(callTitle(state) ?? '');
  return t.title(callTitle(state) ?? (route.page === 'operator' ? route.operator : t.pages[route.page]));
}
