// The address after #: which page, and with a call the whole of it.
import { foreignOf, homeOperator, indexOf } from './facts.js';
import { linkToCall } from './link.js';
import { modelTabs } from './model-tabs.js';
import { linkToDraft } from './prepare/draft.js';
import type { Route, State } from './state.js';

export function hashOf(route: Route): string {
  if (route.page === 'home' || route.page === 'unknown') return '#/'; // nothing leads to an unknown page
  if (route.page === 'foreign') return `#/operators/${route.operator}`;
  if (route.page === 'models' || route.page === 'simplify') {
    const tab = route.page === 'models' && route.tab !== undefined ? `/${route.tab}` : '';
    return route.model === undefined && tab === '' ? `#/${route.page}` : `#/${route.page}/${route.model ?? ''}${tab}`;
  }
  if (route.page !== 'operator') return `#/${route.page}`;
  const versions = route.to === undefined ? '' : `/${route.from ?? ''}..${route.to}`;
  return `#/operators/${route.operator}${versions}`;
}

/** The address of "Try it" with the call that an operator begins with. */
export function tryHash(operator: string): string {
  return `#/try/${operator}`;
}

/** The page of an operator without its name. */
const firstOperator: Route = { page: 'operator', operator: homeOperator };

type Asked = Pick<State, 'route' | 'isLinkDamaged'> &
  Partial<Pick<State, 'call' | 'prepare'>> & {
    /** The operator whose first call is asked for. */
    readonly opens?: string;
  };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An operator that does not run, or a name that nobody knows. */
function unknown(what: 'page' | 'operator' | 'try', name: string): Asked {
  const isForeign = what !== 'page' && foreignOf(name) !== undefined;
  const route: Route = isForeign ? { page: 'foreign', operator: name } : { page: 'unknown', what, name: decoded(name) };
  return { route, isLinkDamaged: false };
}

/** A page with the call that a link holds; with none when it cannot be read. */
function withCall(route: Route, link: string | undefined): Asked {
  if (!link) return { route, isLinkDamaged: false };
  const call = linkToCall(link);
  const isKnown = call !== undefined && indexOf(call.operator) !== undefined;
  const fits = isKnown && (route.page !== 'operator' || route.operator === call.operator);
  return fits ? { route, call, isLinkDamaged: false } : { route, isLinkDamaged: true };
}

/** "Try it" with a call, or with an operator by its name: links begin with a digit. */
function tryState(text: string): Asked {
  if (text === '' || /^\d/.test(text)) return withCall({ page: 'try' }, text);
  if (indexOf(text) === undefined) return unknown('try', text);
  return { route: { page: 'try' }, opens: text, isLinkDamaged: false };
}

/** The page of an operator. Versions and a call may follow its name. */
function operatorState(name: string, more: readonly string[]): Asked {
  const operator = indexOf(name);
  if (operator === undefined) return unknown('operator', name);
  const [, from, to] = /^(\d*)\.\.(\d+)$/.exec(more[0] ?? '') ?? [];
  const link = more[to === undefined ? 0 : 1];
  const missing = [from, to].find((text) => text && !operator.versions.includes(Number(text)));
  if (missing !== undefined) {
    return { route: { page: 'unknown', what: 'version', name: missing, operator: name }, isLinkDamaged: false };
  }
  const number = (text: string | undefined) => (text ? Number(text) : undefined);
  return withCall({ page: 'operator', operator: name, from: number(from), to: number(to) }, link);
}

/** "Prepare" with the steps that a link holds. */
function prepareState(link: string): Asked {
  const route: Route = { page: 'prepare' };
  if (link === '') return { route, isLinkDamaged: false };
  const prepare = linkToDraft(link);
  return prepare === undefined ? { route, isLinkDamaged: true } : { route, prepare, isLinkDamaged: false };
}

/** "Models" with a sample and a tab; a model of somebody's disk has no name in addresses. */
function modelsRoute(name: string, last: string | undefined): Route {
  const tab = modelTabs.find((known) => known === last);
  return {
    page: 'models',
    ...(name === '' ? {} : { model: decoded(name) }),
    ...(tab === undefined ? {} : { tab }),
  };
}

/** The page, and the call or the steps, that an address names. */
export function stateOf(hash: string): Asked {
  const [page = '', name = '', ...more] = hash.replace(/^#\/?/, '').split('/');
  switch (page) {
    case '':
      return { route: { page: 'home' }, isLinkDamaged: false };
    case 'models':
      return { route: modelsRoute(name, more[0]), isLinkDamaged: false };
    case 'simplify':
      return { route: name === '' ? { page } : { page, model: decoded(name) }, isLinkDamaged: false };
    case 'benchmark':
      return { route: { page }, isLinkDamaged: false };
    case 'prepare':
      return prepareState([name, ...more].join('/'));
    case 'try':
      return tryState(name);
    case 'embed':
      return withCall({ page }, name);
    case 'operators':
      return name === '' ? { route: firstOperator, isLinkDamaged: false } : operatorState(name, more);
    default:
      return unknown('page', page);
  }
}
