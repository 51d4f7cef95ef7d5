import { offeredPrefix, within } from '@errand/host';
import { isRecord, type JsonObject } from '@errand/wire';
import type { ContentServer, GatewayContent } from './gateway-host.ts';
import { hopsOf, maxHops } from './hops.ts';
import { isSafeName, safeName } from './safe-name.ts';

/** The lists that a server has besides its tools: how each is asked for, and what names an item. */
const lists = {
  resources: { method: 'resources/list', feature: 'resources', key: 'uri' },
  resourceTemplates: {
    method: 'resources/templates/list',
    feature: 'resources',
    key: 'uriTemplate',
  },
  prompts: { method: 'prompts/list', feature: 'prompts', key: 'name' },
} as const;

export type ContentList = keyof typeof lists;

/** Something that a server lists, under the key that the gateway offers it by. */
export interface OfferedContent {
  readonly server: ContentServer;
  /** As the server lists it. */
  readonly item: JsonObject;
  readonly key: string;
}

interface ServerList {
  items: readonly JsonObject[];
  reading?: Promise<void>;
  /** Somebody has waited for this reading in vain; others are not kept waiting. */
  isLate: boolean;
}

const maxPages = 100;
const maxItems = 10_000;
/** How long a list waits for servers that do not answer, in milliseconds. */
const patienceMs = 2_000;
/** How long changes are gathered before clients are told, in milliseconds. */
const gatherMs = 50;

/** The resources and prompts of all servers, read when a client asks for them. */
export class ContentCatalog implements Disposable {
  readonly #content: GatewayContent;
  readonly #lists = new Map<string, ServerList>();
  readonly #listeners = new Set<(list: 'resources' | 'prompts') => void>();
  readonly #changed = new Set<'resources' | 'prompts'>();
  readonly #stopListening: () => void;
  readonly #closing = new AbortController();
  #servers: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(content: GatewayContent) {
    this.#content = content;
    this.#servers = signature(content.servers());
    this.#stopListening = content.onChanged((_serverId, change) => {
      if (change === undefined) this.#compareServers();
      else if (change.kind !== 'resource') this.#announce(change.kind);
    });
  }

  /** What all servers list; of one that does not answer in time, what it listed before. */
  async list(list: ContentList): Promise<readonly OfferedContent[]> {
    const servers = this.#having(list);
    const readings = servers.map((server) => this.#read(server, list));
    if (readings.length > 0) await within(Promise.all(readings), patienceMs);
    for (const { id } of servers) {
      const known = this.#lists.get(`${list} ${id}`);
      if (known?.reading !== undefined) known.isLate = true;
    }
    return this.known(list);
  }

  /** What all servers listed last; the first in the order of the settings has a key that several use. */
  known(list: ContentList): readonly OfferedContent[] {
    const { key } = lists[list];
    const taken = new Set<string>();
    return this.#having(list).flatMap((server) => {
      const items = this.#lists.get(`${list} ${server.id}`)?.items ?? [];
      return items.map((item) => {
        const name = offeredKey(list, server.name, String(item[key]), taken);
        taken.add(name);
        return { server, item, key: name };
      });
    });
  }

  /** Calls back, not too often, after a list has changed; returns a function that stops it. */
  onChanged(listener: (list: 'resources' | 'prompts') => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    this.#stopListening();
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #having(list: ContentList): readonly ContentServer[] {
    const { feature } = lists[list];
    return this.#content.servers().filter(({ features }) => features[feature]);
  }

  /** Begins to read a list, or joins the reading under way; nothing to wait for when that is late. */
  #read(server: ContentServer, list: ContentList): Promise<void> | undefined {
    if (server.connection === undefined) return undefined;
    const id = `${list} ${server.id}`;
    const known = this.#lists.get(id) ?? { items: [], isLate: false };
    this.#lists.set(id, known);
    if (known.reading !== undefined) return known.isLate ? undefined : known.reading;
    known.reading = this.#readAll(server.id, list)
      // It may have none of this kind, or be on its way down: what it listed before is as good as anything.
      .catch(() => known.items)
      .then((items) => {
        known.items = items;
        delete known.reading;
        if (known.isLate) this.#announce(list === 'prompts' ? list : 'resources');
        known.isLate = false;
      });
    return known.reading;
  }

  async #readAll(serverId: string, list: ContentList): Promise<readonly JsonObject[]> {
    const { method, key } = lists[list];
    const items = new Map<string, JsonObject>();
    let cursor: unknown;
    for (let page = 0; page < maxPages && items.size < maxItems; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#content.request(
        serverId,
        { method, params },
        this.#closing.signal,
      );
      for (const item of Array.isArray(result[list]) ? result[list] : []) {
        if (isOfferable(item, key) && !items.has(item[key] as string)) {
          items.set(item[key] as string, item);
        }
      }
      if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    return [...items.values()];
  }

  #compareServers(): void {
    const now = signature(this.#content.servers());
    if (now === this.#servers) return;
    this.#servers = now;
    this.#announce('resources');
    this.#announce('prompts');
  }

  #announce(list: 'resources' | 'prompts'): void {
    this.#changed.add(list);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const each of changed) for (const listener of this.#listeners) listener(each);
    }, gatherMs).unref();
  }
}

function isOfferable(item: unknown, key: string): item is JsonObject {
  if (!isRecord(item) || typeof item[key] !== 'string' || typeof item.name !== 'string') {
    return false;
  }
  // One that has passed so many gateways is our own.
  return hopsOf(isRecord(item._meta) ? item._meta : undefined) < maxHops;
}

function offeredKey(
  list: ContentList,
  server: string,
  key: string,
  taken: ReadonlySet<string>,
): string {
  if (list === 'resourceTemplates') return key;
  if (list === 'resources') return taken.has(key) ? qualifiedUri(server, key) : key;
  const name = offeredPrefix(server) + key;
  return isSafeName(name) && !taken.has(name) ? name : safeName(name, taken);
}

function signature(servers: readonly ContentServer[]): string {
  return JSON.stringify(servers.map(({ id, name, features }) => [id, name, features]));
}

const qualified = /^errand:resource\/([^/]+)\/(.+)$/;

/** The address of a resource that names its server, which is accepted of every resource. */
function qualifiedUri(server: string, uri: string): string {
  return `errand:resource/${server}/${encodeURIComponent(uri.toWellFormed())}`;
}

/** The server and the address that a qualified address stands for. */
export function readQualifiedUri(
  uri: string,
): { readonly server: string; readonly uri: string } | undefined {
  const [, server, encoded] = qualified.exec(uri) ?? [];
  if (server === undefined || encoded === undefined) return undefined;
  try {
    return { server, uri: decodeURIComponent(encoded) };
  } catch {
    return undefined;
  }
}
