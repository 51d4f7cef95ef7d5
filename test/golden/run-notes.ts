import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, runNote, type SectionBinding, type Settings } from '@errand/host';
import { LocalConnector } from '@errand/machine/mcp';
import {
  CallLogFile,
  openAttachmentFolder,
  openNoteFolder,
  openSettingsFile,
} from '@errand/machine/node';

/** Texts by the names of their files. */
export type Notes = Readonly<Record<string, string>>;

/** What notes are run with. */
export interface NotesOptions {
  readonly force?: boolean;
  /** Laid over the settings. */
  readonly settings?: Partial<Settings>;
  /** Section bindings in the settings, by the name of the server. */
  readonly bindings?: Readonly<Record<string, readonly SectionBinding[]>>;
}

/** Runs notes twice in a vault of their own; tells how each block ended, and what each run left there. */
export async function runNotes(
  before: Notes,
  { force = false, settings, bindings = {} }: NotesOptions = {},
) {
  const scratch = await mkdtemp(join(tmpdir(), 'errand-golden-'));
  const vault = join(scratch, 'vault');
  const notifier = { notify: () => {} };
  try {
    await mkdir(join(vault, '.errand'), { recursive: true });
    for (const [name, text] of Object.entries(before)) writeFileSync(join(vault, name), text);
    const mcpServers = servers.map((server) => ({
      ...server,
      sectionBindings: bindings[server.name] ?? [],
    }));
    const stored = { version: 1, mcpServers, ...settings };
    writeFileSync(join(vault, '.errand/settings.json'), JSON.stringify(stored));
    const store = openSettingsFile(vault);
    const { attachmentsFolder, problems } = await store.load();
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    const log = new CallLogFile({ vault, settings: () => host.servers.settings, notifier });
    const local = new LocalConnector({
      host: { name: 'golden', version: '1', vaultFolder: vault, eras: new Map(), notifier },
      childrenFolder: join(scratch, 'children'),
      neutralFolder: join(scratch, 'empty'),
    });
    await using host = await createHost({ settings: store, connectors: { local }, notifier, log });
    const ports = {
      host,
      log,
      notes: openNoteFolder(vault, join(scratch, 'locks')),
      attachments: openAttachmentFolder(vault, attachmentsFolder),
    };
    const names = Object.keys(before);
    const runAll = () =>
      Promise.all(names.map((path) => runNote({ path, sessionId: path, force }, ports)));
    const readAll = () =>
      Object.fromEntries(names.map((name) => [name, readFileSync(join(vault, name), 'utf8')]));
    const runs = await runAll();
    const notes = readAll();
    await runAll();
    await log[Symbol.asyncDispose]();
    const files = join(vault, attachmentsFolder);
    const ended = runs
      .flatMap(({ results }) => results)
      .map(({ status, error }) => [status, error?.code].join(' ').trim());
    return {
      ended,
      notes,
      again: readAll(),
      attachments: existsSync(files) ? readdirSync(files) : [],
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const weather = [join(import.meta.dirname, 'weather-server.ts')];
const programs: Readonly<Record<string, readonly string[]>> = {
  weather,
  db: weather,
  off: weather,
  broken: ['-e', 'console.error("No key was given."); process.exit(3)'],
};

const servers = Object.entries(programs).map(([name, args]) => ({
  id: name,
  name,
  transport: 'stdio',
  deploymentType: 'local',
  localConfig: { command: process.execPath, args },
  enabled: name !== 'off',
  failureCount: 0,
  autoDisabled: false,
}));
