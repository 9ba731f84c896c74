// The bar at the top: pages, sharing, language, colours.
import { html, type TemplateResult } from 'lit-html';
import { documents } from '../documents.js';
import { hashOf } from '../router.js';
import { change, type State, type Theme } from '../state.js';
import { siteTexts } from '../texts/site.js';
import type { Language } from '../texts/texts.js';
import { shareButton } from './share.js';

const languages: readonly [Language, string][] = [
  ['en', 'English'],
  ['zh', '中文'],
];
const themes: readonly Theme[] = ['auto', 'light', 'dark'];
const pages = ['operator', 'try', 'models', 'prepare', 'simplify', 'benchmark'] as const;

/** The page of the bar that is shown: operators that do not run are among the operators. */
function pageOf({ route }: State): string {
  return route.page === 'foreign' ? 'operator' : route.page;
}

/** Brings the page that is shown into view where the bar is too narrow for all. */
export function showCurrentPage(): void {
  const bar = document.querySelector<HTMLElement>('header.top nav');
  const link = bar?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!bar || !link) return;
  const [around, own] = [bar.getBoundingClientRect(), link.getBoundingClientRect()];
  if (own.left < around.left) bar.scrollLeft += own.left - around.left;
  if (own.right > around.right) bar.scrollLeft += own.right - around.right;
}

export function header(state: State): TemplateResult {
  const t = siteTexts[state.language];
  const target = (page: (typeof pages)[number]) =>
    hashOf(page === 'operator' ? { page, operator: state.call.operator } : { page });
  return html`<header class="top">
    <a class="brand" href=${hashOf({ page: 'home' })} aria-current=${state.route.page === 'home' ? 'page' : 'false'}><img src="./favicon.svg" alt="" width="28" height="28" /><span>Broadloom</span></a>
    <nav aria-label=${t.navigation}>
      ${pages.map(
        (page) =>
          html`<a href=${target(page)} aria-current=${pageOf(state) === page ? 'page' : 'false'}>${t.pages[page]}</a>`,
      )}
      <a href=${documents} hreflang="en">${t.documents}</a>
    </nav>
    <div class="choices">
      ${shareButton(state)}
      <select
        id="language"
        aria-label=${t.language}
        @change=${(event: Event) => change({ language: (event.target as HTMLSelectElement).value as Language })}
      >
        ${languages.map(
          ([tag, name]) => html`<option value=${tag} lang=${tag} ?selected=${tag === state.language}>${name}</option>`,
        )}
      </select>
      <select
        id="theme"
        aria-label=${t.theme}
        @change=${(event: Event) => change({ theme: (event.target as HTMLSelectElement).value as Theme })}
      >
        ${themes.map((theme) => html`<option value=${theme} ?selected=${theme === state.theme}>${t.themes[theme]}</option>`)}
      </select>
    </div>
  </header>`;
}
