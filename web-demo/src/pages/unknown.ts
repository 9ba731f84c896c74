// An address that leads nowhere: says so, and shows what may have been meant.
import { html, nothing, type TemplateResult } from 'lit-html';
import { nearNames } from '../../../shared/names.js';
import { visible } from '../../../shared/visible.js';
import { foreignIndex, homeOperator, indexOf, operatorIndex } from '../facts.js';
import { hashOf, tryHash } from '../router.js';
import type { Route, State } from '../state.js';
import { siteTexts } from '../texts/site.js';
import { clipped } from '../values/visible.js';

type Unknown = Extract<Route, { page: 'unknown' }>;
type Link = readonly [text: string, address: string];

/** How many names are shown that may have been meant. */
const mostMeant = 3;

const pages = ['try', 'models', 'prepare', 'simplify', 'benchmark'] as const;

function operatorLink(operator: string): Link {
  return [operator, hashOf({ page: 'operator', operator })];
}

/** Suggestions for an unknown name, by its spelling; for a version, the one that such an opset chooses. */
function suggestions(route: Unknown): Link[] {
  if (route.what !== 'version') {
    const names = operatorIndex.map(({ name }) => name);
    const others = foreignIndex.map(({ name }) => name);
    const known = route.what === 'page' ? [...names, ...others, ...pages, 'operators'] : [...names, ...others];
    return nearNames(route.name, known)
      .slice(0, mostMeant)
      .map((name) => {
        if (names.includes(name) && route.what === 'try') return [name, tryHash(name)];
        if (names.includes(name) || others.includes(name)) return operatorLink(name);
        const page = pages.find((candidate) => candidate === name);
        return page ? [page, hashOf({ page })] : operatorLink(homeOperator);
      });
  }
  const versions = indexOf(route.operator)?.versions ?? [];
  const chosen = versions.findLast((version) => version <= Number(route.name));
  const listed = chosen === undefined ? versions : [chosen, ...versions.filter((version) => version !== chosen)];
  return listed.map((to) => [`${route.operator}-${to}`, hashOf({ page: 'operator', operator: route.operator, to })]);
}

function list(label: string, links: readonly Link[], t: (typeof siteTexts)['en']): TemplateResult | typeof nothing {
  if (links.length === 0) return nothing;
  const text = (name: string): string => t.pages[name as (typeof pages)[number]] ?? name;
  return html`<h2>${label}</h2>
    <ul class="unknown-links">
      ${links.map(([name, address]) => html`<li><a href=${address}>${text(name)}</a></li>`)}
    </ul>`;
}

export function unknownPage({ route, language }: State): TemplateResult {
  const t = siteTexts[language];
  const asked = route as Unknown;
  const name = visible(clipped(asked.name, 60));
  return html`<h1>${t.unknown[asked.what](name, 'operator' in asked ? asked.operator : '')}</h1>
    <p>${t.unknownNote}</p>
    ${list(asked.what === 'version' ? t.versions : t.meant, suggestions(asked), t)}
    ${list(
      t.allOperators,
      operatorIndex.map(({ name }) => operatorLink(name)),
      t,
    )}
    ${list(
      t.otherPages,
      pages.map((page) => [page, hashOf({ page })]),
      t,
    )}`;
}
