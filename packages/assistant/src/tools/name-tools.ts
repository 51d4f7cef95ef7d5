import type { AITool } from '@errand/host';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A tool under the name that a model knows. */
export interface NamedTool {
  readonly name: string;
  readonly tool: AITool;
}

/** What every provider takes: a letter or `_`, then letters, digits, `_` and `-`. */
const longest = 64;

/** As a name ends that was made unique; one that only ends so could be another's. */
const looksShort = /_[0-9a-f]{8}$/;

/** Gives each tool the name `server__tool`, made legal for every provider and unique. */
export function nameTools(tools: readonly AITool[]): readonly NamedTool[] {
  const wanted = tools.map(legalName);
  const counts = new Map<string, number>();
  for (const name of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  return tools.map((tool, index) => {
    const name = wanted[index] ?? '';
    const isFine = name.length <= longest && counts.get(name) === 1 && !looksShort.test(name);
    return { tool, name: isFine ? name : shortName(name, tool) };
  });
}

/** The server among these that a name could be of, and the rest of the name as that of its tool. */
export function toolNamedBy(
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly tool: string } | undefined {
  const start = (serverName: string) => legalName({ serverName, toolName: '' });
  const server = servers.find((each) => name.startsWith(start(each)));
  if (server === undefined) return undefined;
  return { server, tool: name.slice(start(server).length) || name };
}

function legalName({ serverName, toolName }: Pick<AITool, 'serverName' | 'toolName'>): string {
  const name = `${serverName}__${toolName}`.replace(/[^A-Za-z0-9_-]/g, '_');
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/** Ends in a hash of the tool's own names, so that it is the same in every round and every run. */
function shortName(name: string, { serverName, toolName }: AITool): string {
  const hash = bytesToHex(sha256(utf8ToBytes(`${serverName}\n${toolName}`))).slice(0, 8);
  return `${name.slice(0, longest - 1 - hash.length)}_${hash}`;
}
