// The tabs of the workspace: parts of one model, each with an address. A click goes there; arrows move from tab to tab.
import { html, type TemplateResult } from 'lit-html';
import { writeAddressSoon } from '../address.js';
import type { ModelTab } from '../model-tabs.js';
import { hashOf } from '../router.js';
import { change, current, type Route, type State } from '../state.js';
import { workspaceTexts } from '../texts/workspace.js';

export const tabNames = ['graph', 'run', 'time', 'weights', 'simplify', 'compare'] as const;
export type TabName = (typeof tabNames)[number];

/** The tab that a route shows. */
export function tabOf({ route }: Pick<State, 'route'>): TabName {
  if (route.page === 'simplify') return 'simplify';
  return (route.page === 'models' ? route.tab : undefined) ?? 'graph';
}

function routeOf(tab: TabName): Route {
  const { route } = current();
  const model = route.page === 'models' || route.page === 'simplify' ? route.model : undefined;
  if (tab === 'simplify') return { page: 'simplify', model };
  const named: ModelTab | undefined = tab === 'graph' ? undefined : tab;
  return { page: 'models', model, tab: named };
}

/** Shows a tab at once, in the place of the one that is shown: going back does not lead through all of them. */
export function showTab(tab: TabName): void {
  if (tabOf(current()) === tab) return;
  change({ route: routeOf(tab) });
  writeAddressSoon();
}

const idOf = (tab: TabName): string => `models-tab-${tab}`;

function press(event: KeyboardEvent): void {
  const at = tabNames.indexOf(tabOf(current()));
  const last = tabNames.length - 1;
  const places: { readonly [key: string]: number } = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
    ' ': tabNames.findIndex((tab) => idOf(tab) === (event.target as Element).id),
  };
  const next = Object.hasOwn(places, event.key) ? tabNames[places[event.key] as number] : undefined;
  if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  showTab(next);
  document.getElementById(idOf(next))?.focus();
}

/** The list of tabs, and the panel of the one that is shown. */
export function tabs(state: State, content: unknown): TemplateResult {
  const t = workspaceTexts[state.language];
  const shown = tabOf(state);
  return html`<div class="models-tabs" role="tablist" aria-label=${t.tabs} @keydown=${press}>
      ${tabNames.map(
        (tab) => html`<a
          role="tab"
          id=${idOf(tab)}
          href=${hashOf(routeOf(tab))}
          aria-selected=${tab === shown}
          aria-controls="models-tabpanel"
          tabindex=${tab === shown ? 0 : -1}
        >${t.tabNames[tab]}</a>`,
      )}
    </div>
    <div role="tabpanel" id="models-tabpanel" aria-labelledby=${idOf(shown)}>${content}</div>`;
}
