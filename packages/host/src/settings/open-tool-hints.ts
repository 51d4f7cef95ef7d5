import type { ToolDescription } from '../connection.ts';
import type { ServerConfig } from '../settings.ts';
import { foreignName } from '../text/one-line.ts';
import type { ToolNote, TrustRecord, TrustStore } from '../trust-store.ts';
import type { Trust } from './open-trust.ts';

/** Remembers the hints of tools when their server was approved. */
export interface ToolHints {
  /** Receives a list of tools: the first after an approval is stored, later ones are compared with it. */
  observe(server: ServerConfig, tools: readonly ToolDescription[]): Promise<void>;
  /** Whether a tool claims to be more harmless than when its server was approved. */
  hasChanged(server: ServerConfig, tool: ToolDescription): boolean;
  /** The unapproved claims of a server's tools, one line each. */
  changes(server: ServerConfig): readonly string[];
  /** Approves the claims that were shown. */
  agree(servers: readonly ServerConfig[]): Promise<void>;
  /** Stops following what other processes remember. */
  close(): void;
}

/** For a host without trust: accepts every claim. */
export const noToolHints: ToolHints = {
  observe: async () => {},
  hasChanged: () => false,
  changes: () => [],
  agree: async () => {},
  close: () => {},
};

/** Opens the stored hints of one vault and watches them. They are stored with the approvals. */
export async function openToolHints(
  store: TrustStore,
  trust: Pick<Trust, 'verdict'>,
): Promise<ToolHints> {
  let record = await store.load();
  const follow = (loaded: TrustRecord) => {
    record = loaded;
  };
  const stop = store.watch(() => void store.load().then(follow, () => {}));
  const noted = ({ id }: ServerConfig) => readNote(record, id);
  return {
    async observe(server, tools) {
      if (trust.verdict(server) !== 'trusted') return;
      const { id } = server;
      // A built-in server is trusted without an approval in which its hints could be stored.
      if (!record.has(id)) record = await store.load();
      if (!record.has(id)) return;
      const now = claimsOf(tools);
      const before = noted(server);
      const isNews = before !== undefined && weakerClaims(before.agreed, now).length > 0;
      if (before !== undefined && !isNews && before.claimed === undefined) return;
      record = await store.save((current) => {
        const { agreed } = readNote(current, id) ?? { agreed: now };
        const hasMore = weakerClaims(agreed, now).length > 0;
        return withNote(current, id, { agreed, ...(hasMore && { claimed: now }) });
      });
    },
    hasChanged(server, tool) {
      const before = noted(server);
      if (before === undefined) return false;
      return describeWeaker(agreedClaim(before.agreed, tool.name), claimOf(tool)) !== undefined;
    },
    changes(server) {
      const { agreed = {}, claimed = {} } = noted(server) ?? {};
      return weakerClaims(agreed, claimed);
    },
    async agree(servers) {
      if (servers.every((server) => noted(server)?.claimed === undefined)) return;
      record = await store.save((current) =>
        servers.reduce((all, { id }) => {
          const claimed = readNote(all, id)?.claimed;
          return claimed === undefined ? all : withNote(all, id, { agreed: claimed });
        }, current),
      );
    },
    close: stop,
  };
}

/** The hints stored in an approval; undefined before the first list of tools. */
function readNote(record: TrustRecord, id: string): ToolNote | undefined {
  return record.get(id)?.tools;
}

function withNote(record: TrustRecord, id: string, tools: ToolNote): TrustRecord {
  const agreement = record.get(id);
  return agreement === undefined ? record : new Map([...record, [id, { ...agreement, tools }]]);
}

/**
 * The hints of tools, by name: `r` for read-only, `d` for destructive, `o` for reaching
 * the open world. A claim is as good as its server, so those made at the approval are kept.
 */
type ToolClaims = Readonly<Record<string, string>>;

/** The hints of one tool. */
function claimOf({ annotations = {} }: Pick<ToolDescription, 'annotations'>): string {
  const { readOnlyHint, destructiveHint = true, openWorldHint } = annotations;
  const only = readOnlyHint === true;
  // Absent means an open world to the specification, but then nearly every tool would ask.
  return `${only ? 'r' : ''}${!only && destructiveHint ? 'd' : ''}${openWorldHint === true ? 'o' : ''}`;
}

/** The hints of a list of tools. Tools beyond the limit count as not approved. */
function claimsOf(tools: readonly ToolDescription[]): ToolClaims {
  const named = tools.filter(({ name }) => name.length <= longestName).slice(0, maxTools);
  return Object.fromEntries(named.map((tool) => [tool.name, claimOf(tool)]));
}

const maxTools = 1_000;
const longestName = 200;

/** How a tool claims to be more harmless than before, as a sentence; undefined when it does not. */
function describeWeaker(agreed: string | undefined, now: string): string | undefined {
  if (agreed === undefined)
    return now.includes('r') ? 'is new, and says that it only reads' : undefined;
  if (!agreed.includes('r') && now.includes('r')) return 'says now that it only reads';
  if (agreed.includes('d') && !now.includes('d')) {
    return 'no longer says that it may destroy something';
  }
  if (agreed.includes('o') && !now.includes('o')) {
    return 'no longer says that it reaches beyond this machine';
  }
  return undefined;
}

/** Every tool that claims to be more harmless than before, one line each. */
function weakerClaims(agreed: ToolClaims, now: ToolClaims): readonly string[] {
  return Object.entries(now).flatMap(([name, claim]) => {
    const change = describeWeaker(agreedClaim(agreed, name), claim);
    return change === undefined ? [] : [`${foreignName(name)} ${change}`];
  });
}

/** A tool may be called `constructor`. */
function agreedClaim(agreed: ToolClaims, name: string): string | undefined {
  return Object.hasOwn(agreed, name) ? agreed[name] : undefined;
}
