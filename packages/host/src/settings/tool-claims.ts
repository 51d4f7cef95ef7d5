import type { ToolDescription } from '../connection.ts';
import { foreignName } from '../text/one-line.ts';

/**
 * What tools say of themselves, by name: `r` for only reading, `d` for may destroy, `o` for reaching
 * the open world. A claim is as good as its server, so those made at the agreement are kept.
 */
export type ToolClaims = Readonly<Record<string, string>>;

/** What one tool says of itself. */
export function claimOf({ annotations = {} }: Pick<ToolDescription, 'annotations'>): string {
  const { readOnlyHint, destructiveHint = true, openWorldHint } = annotations;
  const only = readOnlyHint === true;
  // Absent means an open world to the specification, but then nearly every tool would ask.
  return `${only ? 'r' : ''}${!only && destructiveHint ? 'd' : ''}${openWorldHint === true ? 'o' : ''}`;
}

/** What tools say of themselves. A tool that does not fit in is one that nobody has agreed to. */
export function claimsOf(tools: readonly ToolDescription[]): ToolClaims {
  const named = tools.filter(({ name }) => name.length <= longestName).slice(0, maxTools);
  return Object.fromEntries(named.map((tool) => [tool.name, claimOf(tool)]));
}

const maxTools = 1_000;
const longestName = 200;

/** How a tool claims to be more harmless than it did, in words; undefined when it does not. */
export function describeWeaker(agreed: string | undefined, now: string): string | undefined {
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

/** Every tool that claims to be more harmless than it did, one line each. */
export function weakerClaims(agreed: ToolClaims, now: ToolClaims): readonly string[] {
  return Object.entries(now).flatMap(([name, claim]) => {
    const change = describeWeaker(agreedClaim(agreed, name), claim);
    return change === undefined ? [] : [`${foreignName(name)} ${change}`];
  });
}

/** A tool may be called `constructor`. */
export function agreedClaim(agreed: ToolClaims, name: string): string | undefined {
  return Object.hasOwn(agreed, name) ? agreed[name] : undefined;
}
