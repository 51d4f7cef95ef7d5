import { type OfferedTool, offeredName, offeredSchema } from '@errand/host';
import { type Era, isRecord, type JsonObject } from '@errand/wire';
import type { GatewayHost } from './gateway-host.ts';
import { hopsOf, maxHops } from './hops.ts';
import { metaKey } from './protocol.ts';
import { isSafeName, safeName } from './safe-name.ts';
import type { ToolFilter } from './scope.ts';

/** How long changes are debounced before clients are notified, in milliseconds. */
const gatherMs = 50;

/** The tools of all servers under the names that the gateway offers, as they are at this moment. */
export class ToolCatalog implements Disposable {
  readonly #host: GatewayHost;
  readonly #listeners = new Set<() => void>();
  readonly #stopListening: () => void;
  readonly #lists = new Map<Era, string>();
  #tools: ReadonlyMap<string, OfferedTool> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: GatewayHost) {
    this.#host = host;
    this.#stopListening = host.onToolsChanged(() => this.#takeChange());
  }

  find(name: string): OfferedTool | undefined {
    return this.#current().get(name);
  }

  /** What is offered, by name, in the order of the list. */
  *offered(filter?: ToolFilter): Generator<readonly [name: string, offered: OfferedTool]> {
    for (const [name, one] of this.#current()) {
      const { server, tool } = one;
      // A tool under a safe name is also known by its own.
      if (tool.broken !== undefined || !isSafeName(name)) continue;
      if (filter?.(server.name, tool.name) ?? true) yield [name, one];
    }
  }

  /** The JSON array of `tools/list`. */
  listText(era: Era, filter?: ToolFilter): string {
    if (filter !== undefined) return this.#write(era, filter);
    const list = this.#lists.get(era) ?? this.#write(era);
    this.#lists.set(era, list);
    return list;
  }

  /** Calls back, not too often, after the list has changed; returns a function that stops it. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    this.#stopListening();
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #current(): ReadonlyMap<string, OfferedTool> {
    this.#tools ??= index(this.#host.tools());
    return this.#tools;
  }

  #write(era: Era, filter?: ToolFilter): string {
    const texts = Array.from(this.offered(filter), ([name, one]) => describe(name, one, era));
    return `[${texts.join(',')}]`;
  }

  #takeChange(): void {
    this.#tools = undefined;
    this.#lists.clear();
    this.#timer ??= setTimeout(() => this.#announce(), gatherMs).unref();
  }

  #announce(): void {
    this.#timer = undefined;
    for (const listener of this.#listeners) listener();
  }
}

function index(offered: readonly OfferedTool[]): ReadonlyMap<string, OfferedTool> {
  const tools = new Map<string, OfferedTool>();
  const unsafe: string[] = [];
  for (const one of inOrder(offered)) {
    const name = offeredName(one);
    const isOwn = hopsOf(one.tool._meta) >= maxHops;
    if (isOwn || tools.has(name)) continue;
    tools.set(name, one);
    if (!isSafeName(name)) unsafe.push(name);
  }
  // Last, so that no tool takes the name that another has by itself.
  for (const name of unsafe) {
    const tool = tools.get(name);
    if (tool !== undefined) tools.set(safeName(name, tools), tool);
  }
  return tools;
}

/** By server as in the settings, then by name: some servers list their tools in another order each time. */
function inOrder(offered: readonly OfferedTool[]): readonly OfferedTool[] {
  const servers = Map.groupBy(offered, ({ server }) => server.id);
  return [...servers.values()].flatMap((tools) =>
    tools.toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1)),
  );
}

/** A tool as the gateway describes it to its clients, in JSON. */
export function describe(name: string, { tool, state }: OfferedTool, era: Era): string {
  const { broken: _, outputSchema, _meta, ...rest } = tool;
  return JSON.stringify({
    ...rest,
    name,
    inputSchema: offeredSchema(tool),
    ...(fits(outputSchema, era) && { outputSchema }),
    _meta: {
      ..._meta,
      [metaKey.hops]: hopsOf(_meta) + 1,
      ...(state && { [metaKey.state]: state }),
    },
  });
}

/** The older era knows only objects as structured content, and its clients refuse other schemas. */
function fits(schema: JsonObject | undefined, era: Era): boolean {
  return isRecord(schema) && (era === 'modern' || schema.type === 'object');
}
