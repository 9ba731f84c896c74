// The address after #: which page, and on "Try it" the whole call.
import { operatorOf } from './facts.js';
import { linkToCall } from './link.js';
import type { Route, State } from './state.js';

export function hashOf(route: Route): string {
  if (route.page !== 'operator') return `#/${route.page}`;
  const versions = route.to === undefined ? '' : `/${route.from ?? ''}..${route.to}`;
  return `#/operators/${route.operator}${versions}`;
}

const home: Route = { page: 'operator', operator: 'Expand' };

type Asked = Pick<State, 'route' | 'isLinkDamaged'> & Partial<Pick<State, 'call'>>;

/** What an address asks to show; nothing for one that is not understood. */
export function stateOf(hash: string): Asked | undefined {
  const [page, name, more] = hash.replace(/^#\/?/, '').split('/');
  const isLinkDamaged = false;
  if (!page) return { route: home, isLinkDamaged };
  if (page === 'models' || page === 'benchmark') return { route: { page }, isLinkDamaged };
  if (page === 'try') {
    if (!name) return { route: { page }, isLinkDamaged };
    const call = linkToCall(name);
    return call && operatorOf(call.operator)
      ? { route: { page }, call, isLinkDamaged }
      : { route: { page }, isLinkDamaged: true };
  }
  if (page !== 'operators' || !name || !operatorOf(name)) return undefined;
  const versions = /^(\d*)\.\.(\d+)$/.exec(more ?? '');
  const number = (text: string | undefined) => (text ? Number(text) : undefined);
  return {
    route: { page: 'operator', operator: name, from: number(versions?.[1]), to: number(versions?.[2]) },
    isLinkDamaged,
  };
}
