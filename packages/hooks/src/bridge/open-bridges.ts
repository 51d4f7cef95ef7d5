import { rmdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FilesError,
  type LocatedFile,
  locateFile,
  openContainedRoot,
  openFolder,
  readFileBelow,
  replaceFile,
  systemReason,
  withFileLock,
} from '@errand/files';
import { HostError, type Platform } from '@errand/host';
import {
  type AgentFile,
  type AgentProgram,
  agentEntries,
  agentFile,
  agentPrograms,
  type BridgeScope,
  hasVersion,
  isBridgeCommand,
} from './agent-programs.ts';
import { addEntries, removeEntries } from './edit-agent-file.ts';
import { AgentFileError, findEntries } from './read-agent-file.ts';

/** Whether an agent hands its events to us, and where that is written. */
export interface Bridge {
  readonly program: AgentProgram;
  readonly scope: BridgeScope;
  /** The absolute path of its file. */
  readonly file: string;
  readonly isInstalled: boolean;
  /** The events that it hands over, and the command that it runs. */
  readonly events: readonly string[];
  readonly command?: string;
  /** Why its file cannot be used, with its place. */
  readonly problem?: string;
}

/** A change of the file of an agent; undefined texts are files that are not there. */
export interface BridgeChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The bridges from agents to the hooks of a vault. */
export interface Bridges {
  /** All that are installed, and files that cannot be read. */
  list(): Promise<readonly Bridge[]>;
  /** What installing would change. Rejects with `settings_invalid` when the file cannot be edited. */
  planInstall(program: AgentProgram, scope: BridgeScope, command: string): Promise<BridgeChange>;
  planRemoval(program: AgentProgram, scope: BridgeScope): Promise<BridgeChange>;
  /** Carries out a change; false when the file was changed since it was planned. */
  apply(program: AgentProgram, scope: BridgeScope, change: BridgeChange): Promise<boolean>;
}

/** Opens the bridges of a vault, and those of the user. */
export function openBridges(vault: string, platform: Pick<Platform, 'home' | 'env'>): Bridges {
  const fileOf = (program: AgentProgram, scope: BridgeScope) =>
    agentFile(program, scope, vault, platform);
  const plan = async (
    program: AgentProgram,
    scope: BridgeScope,
    change: (text: string | undefined) => string | undefined,
  ): Promise<BridgeChange> => {
    const file = fileOf(program, scope);
    const path = join(file.root, file.path);
    try {
      const before = await readText(file);
      return { file: path, before, after: change(before) };
    } catch (error) {
      throw explain(error, path);
    }
  };
  return {
    async list() {
      const scopes: readonly BridgeScope[] = ['project', 'user'];
      const all = agentPrograms.flatMap((program) =>
        scopes.map((scope) => [program, scope] as const),
      );
      return Promise.all(
        all.map(([program, scope]) => look(program, scope, fileOf(program, scope))),
      );
    },
    planInstall: (program, scope, command) =>
      plan(program, scope, (text) =>
        addEntries(text, agentEntries(program, command), oursFor(program), {
          isVersioned: hasVersion(program),
        }),
      ),
    planRemoval: (program, scope) =>
      plan(program, scope, (text) =>
        text === undefined ? undefined : removeEntries(text, oursFor(program)),
      ),
    async apply(program, scope, { file: path, before, after }) {
      const file = fileOf(program, scope);
      try {
        if (before === after) return true;
        await mkdir(file.root, { recursive: true });
        using located = locate(file);
        const isStillWanted = async () => (await readText(file)) === before;
        return await withFileLock(located, async () => {
          if (after !== undefined) return replaceFile(located, after, { isStillWanted });
          if (!(await isStillWanted())) return false;
          rmSync(located.folder.at(located.name));
          return true;
        }).finally(() => after === undefined && removeEmptyFolders(located));
      } catch (error) {
        throw explain(error, path);
      }
    },
  };
}

const oursFor = (program: AgentProgram) => (command: string) => isBridgeCommand(program, command);

async function look(program: AgentProgram, scope: BridgeScope, file: AgentFile): Promise<Bridge> {
  const path = join(file.root, file.path);
  const common = { program, scope, file: path };
  try {
    const text = await readText(file);
    const found = text === undefined ? [] : findEntries(text, oursFor(program));
    const [first] = found;
    const events = found.map(({ event }) => event);
    const isInstalled = first !== undefined;
    return { ...common, isInstalled, events, ...(first && { command: first.command }) };
  } catch (error) {
    return { ...common, isInstalled: false, events: [], problem: explain(error, path).message };
  }
}

/** A link that leads out of the project, or out of the user's folder, is not followed. */
const policy = { links: 'inside' } as const;
const maximumSize = 4 * 1024 * 1024;

async function readText({ root, path }: AgentFile): Promise<string | undefined> {
  try {
    const options = { ...policy, maximumSize };
    const bytes = await readFileBelow(openContainedRoot(root), path.split(/[\\/]/), options);
    const text = bytes.toString('utf8');
    // What is not UTF-8 would be written differently from how it was read.
    if (!bytes.equals(Buffer.from(text))) throw new AgentFileError('This is not UTF-8.', '', 0);
    return text;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Where the file is, or where it will be. */
function locate({ root: path, path: below }: AgentFile): LocatedFile {
  const root = openContainedRoot(path);
  const segments = below.split(/[\\/]/);
  try {
    return locateFile(root, segments, policy);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const folder = openFolder(root, segments.slice(0, -1), { ...policy, create: true });
    const name = segments.at(-1) ?? '';
    return { root, folder, name, segments, [Symbol.dispose]: folder[Symbol.dispose] };
  }
}

/** Git keeps no empty folders, and agents make theirs. */
function removeEmptyFolders({ root, folder }: LocatedFile): void {
  for (let length = folder.segments.length; length > 0; length -= 1) {
    try {
      rmdirSync(join(root.root, ...folder.segments.slice(0, length)));
    } catch {
      // Something else is in it.
      return;
    }
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'missing' || code === 'ENOENT';
}

function explain(cause: unknown, path: string): HostError {
  if (cause instanceof HostError) return cause;
  const refused = (message: string, facts: object = {}) =>
    new HostError('settings_invalid', `${message} The file was left as it is.`, facts, { cause });
  if (cause instanceof AgentFileError) {
    const { line, column, message } = cause;
    return refused(`${path}:${line}:${column}: ${message}`, { line, column });
  }
  if (cause instanceof FilesError) return refused(`${path} cannot be used: ${cause.message}`);
  if (cause instanceof Error && 'syscall' in cause) {
    return refused(`${path} cannot be used (${systemReason(cause)}). Check its rights.`);
  }
  throw cause;
}
