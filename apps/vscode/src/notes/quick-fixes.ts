import { nearestName, type TextEdit, type ToolBlock } from '@errand/document';
import {
  type Host,
  isNamedAbove,
  parameterLine,
  plainOrQuoted,
  type ToolDescription,
  type ToolParameter,
  writtenParameters,
} from '@errand/host';

/** A way to mend a block: edits of the note, or a server to switch on or to agree to. */
export type QuickFix = { readonly title: string } & (
  | { readonly kind: 'edit'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'enable' | 'agree'; readonly serverId: string }
);

/** The ways to mend a block, best first. No server is started to find them. */
export function quickFixes(
  text: string,
  block: ToolBlock,
  { servers }: Pick<Host, 'servers'>,
): readonly QuickFix[] {
  const server = servers.find(block.server ?? '');
  if (server === undefined) return renamedServer(text, block, servers.list());
  const { trust, enabled, config } = servers.snapshot(server.id);
  const { name, id } = config;
  const known = servers.knownTools(id);
  const tool = known.find((each) => each.name === block.tool);
  return [
    ...(trust === 'trusted'
      ? []
      : [{ kind: 'agree', title: `Review and agree to server ${name}`, serverId: id } as const]),
    ...(enabled ? [] : [{ kind: 'enable', title: `Enable server ${name}`, serverId: id } as const]),
    ...(tool === undefined
      ? renamedTool(text, block, known)
      : missingParameters(text, block, tool)),
  ];
}

function renamedServer(
  text: string,
  { problem, fence }: ToolBlock,
  servers: readonly { readonly name: string }[],
): readonly QuickFix[] {
  if (problem?.code !== 'server_unknown') return [];
  const [written = ''] = fence.info.trim().split(/\s/, 1);
  const names = servers.map(({ name }) => name);
  const meant = nearestName(written, names);
  const from = text.indexOf(written, fence.from);
  if (meant === undefined || from === -1) return [];
  const edits = [{ range: [from, from + written.length], text: meant }] as const;
  return [{ kind: 'edit', title: `Change to server ${meant}`, edits }];
}

function renamedTool(
  text: string,
  block: ToolBlock,
  known: readonly ToolDescription[],
): readonly QuickFix[] {
  if (block.tool === null || known.length === 0) return [];
  const names = known.map(({ name }) => name);
  const meant = nearestName(block.tool, names);
  const at = lineValue(text, block, 'tool');
  if (meant === undefined || at === undefined) return [];
  const edits = [{ range: at, text: plainOrQuoted(meant) }] as const;
  return [{ kind: 'edit', title: `Change to tool ${meant}`, edits }];
}

/** The names of required parameters that a block does not give, as far as its tool is known. */
export function missingNames(
  block: ToolBlock,
  { servers }: Pick<Host, 'servers'>,
): readonly string[] {
  const server = servers.find(block.server ?? '');
  if (server === undefined || block.problem !== null) return [];
  const tool = servers.knownTools(server.id).find(({ name }) => name === block.tool);
  return tool === undefined ? [] : missingIn(block, tool).map(({ name }) => name);
}

function missingIn(block: ToolBlock, tool: ToolDescription): readonly ToolParameter[] {
  const given = new Set(block.params.entries.map(([name]) => name));
  return writtenParameters(tool).filter(({ name, isRequired }) => isRequired && !given.has(name));
}

function missingParameters(
  text: string,
  block: ToolBlock,
  tool: ToolDescription,
): readonly QuickFix[] {
  const missing = missingIn(block, tool);
  const [first] = missing;
  const end = endOfBody(text, block);
  if (first === undefined || end === undefined || isNamedAbove(tool)) return [];
  const lines = missing.map((parameter) => parameterLine(parameter).text);
  const title =
    missing.length === 1
      ? `Add the parameter ${first.name}`
      : `Add the ${missing.length} missing parameters`;
  const added = lines.map((line) => `${end.prefix}${line}${end.lineEnd}`).join('');
  return [{ kind: 'edit', title, edits: [{ range: [end.offset, end.offset], text: added }] }];
}

/** Where the value of `name:` stands in a block. */
function lineValue(
  text: string,
  { fence: { from, to } }: ToolBlock,
  name: string,
): readonly [number, number] | undefined {
  const pattern = new RegExp(`^[ \\t>]*["']?${name}["']?[ \\t]*:[ \\t]*(.*?)[ \\t\\r]*$`, 'm');
  const found = pattern.exec(text.slice(from, to));
  if (found === null) return undefined;
  const value = found[1] ?? '';
  const start = from + found.index + found[0].lastIndexOf(value);
  return [start, start + value.length];
}

/** The start of the line that closes a block, and what its lines begin with. */
function endOfBody(text: string, { fence: { from, to, isClosed } }: ToolBlock) {
  if (!isClosed) return undefined;
  const offset = text.lastIndexOf('\n', to - 1) + 1;
  if (offset <= from) return undefined;
  const [prefix = ''] = /^[ \t>]*/.exec(text.slice(offset, to)) ?? [];
  return { offset, prefix, lineEnd: text[offset - 2] === '\r' ? '\r\n' : '\n' };
}
