// The words of a screen reader about the call on the page.
import { html, type TemplateResult } from 'lit-html';
import type { State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { problemText } from './field.js';

export function announcement({ language, problem, report }: State): string | TemplateResult {
  const t = tryTexts[language];
  if (problem !== undefined) return html`${t.refusedFirst} ${problemText(problem)}`;
  if (report === undefined) return t.waiting;
  const outputs = report.outputs.map(({ type, dims }) => `${type} [${dims.join(', ')}]`);
  return t.done(`${report.operator}-${report.version}`, outputs.join(', '));
}
