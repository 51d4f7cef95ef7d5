import { type ReadonlySignal, signal } from '@preact/signals';

export const pages = [
  'notes',
  'servers',
  'calls',
  'hooks',
  'mail',
  'assistant',
  'settings',
] as const;
export type PageName = (typeof pages)[number];

/** The current page, the item open in it, and view options (`?view=source`, `?line=12`). */
export interface Route {
  readonly page: PageName;
  /** A note's path, a server's, a call's, a hook's or a mail's id; empty when nothing is open. */
  readonly item: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Parses the fragment of a URL; an unknown page falls back to the notes. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [first = '', ...rest] = path.split('/');
  const page = pages.find((name) => name === first);
  if (page === undefined) return { page: 'notes', item: '', options: {} };
  const item = rest.map(decode).join('/');
  return { page, item, options: Object.fromEntries(new URLSearchParams(query)) };
}

/** The link to a page or to an item in it. */
export function hrefTo(
  page: PageName,
  item = '',
  options: Readonly<Record<string, string | number>> = {},
): string {
  const path = item === '' ? '' : `/${item.split('/').map(encodeURIComponent).join('/')}`;
  const query = new URLSearchParams(
    Object.entries(options).map(([name, value]) => [name, String(value)]),
  );
  return `#/${page}${path}${query.size > 0 ? `?${query}` : ''}`;
}

/** The current route, updated on navigation. */
export function followRoute(): ReadonlySignal<Route> {
  const route = signal(parseRoute(location.hash));
  addEventListener('hashchange', () => {
    route.value = parseRoute(location.hash);
  });
  return route;
}

export function goTo(...target: Parameters<typeof hrefTo>): void {
  location.hash = hrefTo(...target);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
