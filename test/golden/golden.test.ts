import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, runNote, type SectionBinding, type Settings } from '@errand/host';
import { LocalConnector } from '@errand/host/mcp';
import {
  CallLogFile,
  openAttachmentFolder,
  openNoteFolder,
  openSettingsFile,
} from '@errand/host/node';
import { expect, test } from 'vitest';

/** What a case may say beside its notes. */
interface Case {
  readonly force?: boolean;
  /** Laid over the settings. */
  readonly settings?: Partial<Settings>;
  /** Section bindings in the settings, by the name of the server. */
  readonly bindings?: Readonly<Record<string, readonly SectionBinding[]>>;
  /** For each block: status, or status and code. */
  readonly results?: readonly string[];
  /** Files that must be there afterwards. */
  readonly attachments?: readonly string[];
}

const cases = join(import.meta.dirname, 'cases');

test.for(readdirSync(cases))('%s', async (name) => {
  const folder = join(cases, name);
  const path = join(folder, 'case.json');
  const given: Case = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const { ended, notes, again, attachments } = await runCase(notesIn(folder, 'before'), given);
  // To accept a new text: UPDATE_GOLDEN=1 npm test -- test/golden, then read the difference.
  if (process.env.UPDATE_GOLDEN === '1') accept(folder, notes);
  expect(notes).toEqual(notesIn(folder, 'after'));
  expect(again).toEqual(notes);
  expect(ended).toEqual(given.results ?? ended.map(() => 'success'));
  expect(attachments).toEqual(given.attachments ?? []);
});

type Notes = Readonly<Record<string, string>>;

/** One note is a file of that name, several are in a folder of that name. */
function notesIn(folder: string, name: 'before' | 'after'): Notes {
  const several = join(folder, name);
  const files = existsSync(several)
    ? readdirSync(several).map((file) => [file, join(several, file)] as const)
    : [['Note.md', `${several}.md`] as const];
  return Object.fromEntries(files.map(([file, path]) => [file, readFileSync(path, 'utf8')]));
}

function accept(folder: string, notes: Notes): void {
  const isOne = existsSync(join(folder, 'before.md'));
  if (!isOne) mkdirSync(join(folder, 'after'), { recursive: true });
  for (const [name, text] of Object.entries(notes)) {
    writeFileSync(join(folder, isOne ? 'after.md' : `after/${name}`), text);
  }
}

/** Runs notes twice in a vault of their own; tells how each block ended, and what each run left there. */
async function runCase(before: Notes, { force = false, settings, bindings = {} }: Case) {
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
    expect(problems).toEqual([]);
    const log = new CallLogFile({ vault, settings: () => host.servers.settings, notifier });
    const local = new LocalConnector({
      host: { name: 'golden', version: '1', vaultFolder: vault, eras: new Map(), notifier },
      childrenFolder: join(scratch, 'children'),
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

const servers = ['weather', 'db', 'off'].map((name) => ({
  id: name,
  name,
  transport: 'stdio',
  deploymentType: 'local',
  localConfig: {
    command: process.execPath,
    args: [join(import.meta.dirname, 'weather-server.ts')],
  },
  enabled: name !== 'off',
  failureCount: 0,
  autoDisabled: false,
}));
