import { resolveSections } from '@errand/document';
import { type ToolDescription, toolParameters, userFolders } from '@errand/host';
import { currentPlatform, openSettingsFile, openTrustFile } from '@errand/machine/node';
import { listSettings } from '@errand/workspace/settings';
import type { CommandContext } from './command-context.ts';
import type { CompletionSource, TypedLine, WordKind } from './complete.ts';
import { openSecrets } from './open-secrets.ts';
import { openVault, vaultFolder } from './open-vault.ts';
import { isOwnServer } from './own-programs.ts';
import { readNote } from './read-note.ts';

/** How long a server may take to list its tools, in milliseconds: somebody waits for a key press. */
const patience = 10_000;

/** Finds names in the vault; none when something cannot be read, since this is no place to complain. */
export function completionSource(context: CommandContext): CompletionSource {
  return (kind, line) => find[kind](line, context).catch(() => []);
}

type Find = (line: TypedLine, context: CommandContext) => Promise<readonly string[]>;

const find: Readonly<Record<WordKind, Find>> = {
  server: async (line, context) => (await settingsOf(line, context)).mcpServers.map(nameOf),
  assistant: async (line, context) => (await settingsOf(line, context)).assistants.map(nameOf),
  agreed: async (line, context) => {
    const { mcpServers, assistants } = await settingsOf(line, context);
    return [...mcpServers, ...assistants, ...(await hooksOf(line, context))].map(nameOf);
  },
  hook: async (line, context) => (await hooksOf(line, context)).map(nameOf),
  secret: () => openSecrets().names(),
  setting: async (line, context) =>
    listSettings(await settingsOf(line, context)).map(({ key }) => key),
  tool: async (line, context) => (await toolsOf(line, context)).map(nameOf),
  parameter: async (line, context) => {
    const [, toolName, ...given] = line.rest;
    const tool = (await toolsOf(line, context)).find(({ name }) => name === toolName);
    const names = tool === undefined ? [] : toolParameters(tool).map(nameOf);
    return names
      .filter((name) => !given.some((pair) => pair.startsWith(`${name}=`)))
      .map((name) => `${name}=`);
  },
  section: async ({ rest: [note = ''], vault }, context) => {
    const read = await readNote(note, vault === undefined ? {} : { vault }, context);
    const { sections } = resolveSections(read.note, read.known);
    return sections.flatMap(({ kind, title }) =>
      kind === 'heading' ? [title.replace(/^#+\s*/, '')] : [],
    );
  },
};

const nameOf = ({ name }: { readonly name: string }) => name;

async function hooksOf({ vault }: TypedLine, { terminal: { cwd } }: CommandContext) {
  const folder = await vaultFolder(vault === undefined ? {} : { vault }, cwd, cwd);
  const { openHookStore } = await import('@errand/hooks');
  return (await openHookStore(folder).load()).hooks;
}

async function settingsOf({ vault }: TypedLine, { terminal: { cwd } }: CommandContext) {
  const folder = await vaultFolder(vault === undefined ? {} : { vault }, cwd, cwd);
  return openSettingsFile(folder).load();
}

/** Tools of a server that runs, or is ours; else their names as they were when it was agreed to. Starts no other. */
async function toolsOf(
  { rest: [name = ''], vault: wanted }: TypedLine,
  context: CommandContext,
): Promise<readonly ToolDescription[]> {
  const options = wanted === undefined ? {} : { vault: wanted };
  await using vault = await openVault(options, context, { notifier: { notify() {} } });
  const { servers } = vault.host;
  const server = servers.find(name);
  if (server === undefined) return [];
  if (servers.snapshot(server.id).connectionState === 'connected' || isOwnServer(server)) {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patience)]);
    return await servers.tools(server.id, signal);
  }
  const trusted = await openTrustFile(userFolders(currentPlatform()).state, vault.folder);
  const agreed = (await trusted.load()).get(server.id)?.tools?.agreed ?? {};
  return Object.keys(agreed).map((tool) => ({ name: tool, inputSchema: {} }));
}
