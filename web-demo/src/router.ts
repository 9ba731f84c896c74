// The address after #: which page, and on "Try it" the whole call.
import { linkToCall } from './link.js';
import type { Route, State } from './state.js';

export function hashOf(route: Route): string {
  if (route.page !== 'operator') return `#/${route.page}`;
  const versions = route.to === undefined ? '' : `/${route.from ?? ''}..${route.to}`;
  return `#/operators/${encodeURIComponent(route.operator)}${versions}`;
}

/** What an address asks to show; nothing for one that is not understood. */
export function stateOf(hash: string): Partial<State> | undefined {
  const [page, name, more] = hash.replace(/^#\/?/, '').split('/');
  if (page === 'models' || page === 'benchmark') return { route: { page } };
  if (page === 'try') {
    const call = name ? linkToCall(name) : undefined;
    return call ? { route: { page }, call } : name ? undefined : { route: { page } };
  }
  if (page !== 'operators' || !name) return undefined;
  const versions = /^(\d*)\.\.(\d+)$/.exec(more ?? '');
  const number = (text: string | undefined) => (text ? Number(text) : undefined);
  return {
    route: {
      page: 'operator',
      operator: decodeURIComponent(name),
      from: number(versions?.[1]),
      to: number(versions?.[2]),
    },
  };
}
