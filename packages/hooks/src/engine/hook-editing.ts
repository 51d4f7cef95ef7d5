import { randomUUID } from 'node:crypto';
import { findServer } from '@errand/host';
import { isRecord } from '@errand/wire';
import { type CheckHost, checkHook, type HookFault } from '../definitions/check-hook.ts';
import { commonFields } from '../definitions/context-fields.ts';
import {
  type DiscoveryHost,
  discoverServers,
  MCPDiscoveryCache,
} from '../definitions/discover-servers.ts';
import { type HookTemplate, hookTemplates } from '../definitions/hook-templates.ts';
import type { MCPServer } from '../definitions/mcp-contract.ts';
import { type HookTrust, hookFingerprint } from '../definitions/open-hook-trust.ts';
import { type ProposedMapping, proposeMappings } from '../definitions/propose-mappings.ts';
import { readHookDraft } from '../definitions/read-hook-draft.ts';
import type { Hook } from '../hook-schema.ts';
import type { HookApproval, HookSource } from './engine-ports.ts';
import type { HookEngine } from './hook-engine.ts';
import { HooksError } from './hooks-error.ts';
import type { HookTest } from './hooks-methods.ts';

/** What a form for hooks offers to choose from. */
export interface HookOptions {
  readonly templates: readonly HookTemplate[];
  /** The context fields that every event has. */
  readonly fields: readonly string[];
  /** The names of the assistants in the settings. */
  readonly assistants: readonly string[];
}

/** What is wrong with a hook, by the dotted path of each field. */
export type HookMistakes = Readonly<Record<string, string>>;

/** What a hook that is being written would do. */
export interface HookPreview extends HookTest {
  readonly mistakes: HookMistakes;
  readonly faults: readonly HookFault[];
  /** Names for conditions, mappings and templates: the common fields, and those of the event. */
  readonly fieldNames: readonly string[];
  /** For each action, the mappings that a person may take. */
  readonly proposals: readonly (readonly ProposedMapping[])[];
}

export interface HookEditingPorts {
  readonly engine: HookEngine;
  readonly store: HookSource;
  readonly trust: HookApproval & Pick<HookTrust, 'agree' | 'revoke'>;
  readonly host: EditingHost;
}

/** What of a host hooks are written with. */
export type EditingHost = CheckHost &
  DiscoveryHost & {
    readonly events: {
      subscribe(listener: (event: { readonly kind: string }) => void): () => void;
    };
  };

/** Stores, removes, approves and previews hooks for the programs that edit them. */
export class HookEditing {
  readonly #ports: HookEditingPorts;
  readonly #discovery: MCPDiscoveryCache;
  #isFollowing = false;

  constructor(ports: HookEditingPorts) {
    this.#ports = ports;
    this.#discovery = new MCPDiscoveryCache((signal) =>
      discoverServers(ports.host, signal === undefined ? {} : { signal }),
    );
  }

  options(): HookOptions {
    const { assistants } = this.#ports.host.servers.settings;
    return {
      templates: hookTemplates,
      fields: commonFields,
      assistants: assistants.map(({ name }) => name),
    };
  }

  /** The servers and their tools, as they were found in the last five minutes, or anew. */
  async discover(isFresh: boolean): Promise<readonly MCPServer[]> {
    this.#follow();
    // Without a signal: others may wait for the same discovery, which has a deadline of its own.
    return isFresh ? this.#discovery.refresh() : this.#discovery.get();
  }

  /** What a draft would do; `test` is given the part of it that can be read. */
  async preview(raw: unknown, test: (hook: Hook) => Promise<HookTest>): Promise<HookPreview> {
    const id = isRecord(raw) && typeof raw.id === 'string' ? raw.id : 'draft';
    const { hook, mistakes, actions } = readHookDraft(raw, id);
    const tested = await test(hook);
    const fieldNames = [...new Set([...commonFields, ...namesIn(tested.event.fields)])];
    const previews = actions.map((action) => {
      if ('index' in action) return tested.actions[action.index] ?? unread;
      return { type: action.type, resolved: {}, problems: action.problems };
    });
    const proposals = actions.map((action) =>
      'index' in action ? this.#proposals(hook.actions[action.index], fieldNames) : [],
    );
    const faults = checkHook(hook, this.#ports.host);
    return {
      ...tested,
      actions: previews,
      mistakes: byPath(mistakes),
      faults,
      fieldNames,
      proposals,
    };
  }

  /**
   * Stores a hook that a person made, who thereby agrees to it. `seen` is the digest of the hook that was changed.
   * Answers with its id, or with what is wrong with it.
   */
  async save(
    raw: unknown,
    seen: string | undefined,
  ): Promise<{ readonly id: string } | { readonly mistakes: HookMistakes }> {
    const { engine, store } = this.#ports;
    const given = isRecord(raw) && typeof raw.id === 'string' && raw.id !== '' ? raw.id : undefined;
    const before = engine.hooks.find((hook) => hook.id === given);
    if (given !== undefined && before === undefined) {
      throw new HooksError('unknown_hook', 'This hook was removed meanwhile.');
    }
    if (before !== undefined && seen !== undefined && hookFingerprint(before) !== seen) {
      throw new HooksError(
        'changed',
        'This hook was changed elsewhere meanwhile. Discard what you wrote, and change it as it is now.',
      );
    }
    const id = given ?? randomUUID();
    const { hook, mistakes } = readHookDraft(raw, id);
    if (mistakes.length > 0) return { mistakes: byPath(mistakes) };
    const name = hook.name.toLowerCase();
    if (engine.hooks.some((other) => other.id !== id && other.name.toLowerCase() === name)) {
      return { mistakes: { name: 'Another hook has this name. Write another one.' } };
    }
    await store.save((all) =>
      before === undefined ? [...all, hook] : all.map((each) => (each.id === id ? hook : each)),
    );
    await this.#agree([id]);
    return { id };
  }

  async remove({ id }: Hook): Promise<void> {
    const { engine, store, trust } = this.#ports;
    const removed = engine.hooks.filter((hook) => hook.id === id);
    await store.save((all) => all.filter((hook) => hook.id !== id));
    await trust.revoke(removed);
    await engine.reload();
  }

  /** Remembers that a person agrees to hooks; each must be as it was shown. */
  async agree(hooks: readonly { readonly hook: Hook; readonly seen: string }[]): Promise<void> {
    if (hooks.some(({ hook, seen }) => hookFingerprint(hook) !== seen)) {
      throw new HooksError('changed', 'A hook is not what was shown. Look at it again.');
    }
    await this.#agree(hooks.map(({ hook }) => hook.id));
  }

  /** To hooks as they are stored: a server's name has become its id by then. */
  async #agree(ids: readonly string[]): Promise<void> {
    const { engine, store, trust } = this.#ports;
    const stored = (await store.load()).hooks.filter(({ id }) => ids.includes(id));
    await trust.agree(stored);
    await engine.reload();
  }

  #proposals(
    action: Hook['actions'][number] | undefined,
    fieldNames: readonly string[],
  ): readonly ProposedMapping[] {
    if (action?.type !== 'mcp') return [];
    const { serverId, toolName } = action.parameters;
    const { servers } = this.#ports.host;
    // The hook may be one whose server was removed.
    const server = findServer(servers.settings, serverId);
    const tool = server && servers.lastTools(server.id)?.get(toolName);
    return proposeMappings(tool?.inputSchema, fieldNames);
  }

  /** Settings and tools are followed once somebody looked. */
  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#ports.host.events.subscribe(({ kind }) => {
      if (kind === 'settings-changed' || kind === 'tools-changed') this.#discovery.invalidate();
    });
  }
}

const unread = { type: 'mcp', resolved: {}, problems: [] } as const;

function byPath(
  mistakes: readonly { readonly path: readonly (string | number)[]; readonly message: string }[],
): HookMistakes {
  // The first of a field counts.
  return Object.fromEntries(
    mistakes.toReversed().map(({ path, message }) => [path.join('.'), message]),
  );
}

/** The paths of the fields of an event, two levels deep. */
function namesIn(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const paths = Object.entries(fields).flatMap(([name, value]) =>
    isRecord(value) ? Object.keys(value).map((part) => `${name}.${part}`) : [name],
  );
  return paths.slice(0, mostNames);
}

const mostNames = 200;
