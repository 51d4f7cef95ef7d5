import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type NoteRun, runNote, type Settings } from '@errand/host';
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
  const { run, after, attachments } = await runCase(folder, given);
  // To accept a new text: UPDATE_GOLDEN=1 npm test -- test/golden, then read the difference.
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(join(folder, 'after.md'), after);
  expect(after).toBe(readFileSync(join(folder, 'after.md'), 'utf8'));
  const ended = run.results.map(({ status, error }) => [status, error?.code].join(' ').trim());
  expect(ended).toEqual(given.results ?? ended.map(() => 'success'));
  expect(attachments).toEqual(given.attachments ?? []);
});

async function runCase(
  folder: string,
  { force = false, settings }: Case,
): Promise<{ run: NoteRun; after: string; attachments: readonly string[] }> {
  const scratch = await mkdtemp(join(tmpdir(), 'errand-golden-'));
  const vault = join(scratch, 'vault');
  const notifier = { notify: () => {} };
  try {
    await mkdir(join(vault, '.errand'), { recursive: true });
    await cp(join(folder, 'before.md'), join(vault, 'Note.md'));
    const stored = { version: 1, mcpServers: [...servers], ...settings };
    writeFileSync(join(vault, '.errand/settings.json'), JSON.stringify(stored));
    const store = openSettingsFile(vault);
    const { attachmentsFolder } = await store.load();
    const log = new CallLogFile({ vault, settings: () => host.servers.settings, notifier });
    const local = new LocalConnector({
      host: { name: 'golden', version: '1', vaultFolder: vault, eras: new Map(), notifier },
      childrenFolder: join(scratch, 'children'),
    });
    await using host = await createHost({ settings: store, connectors: { local }, notifier, log });
    const run = await runNote(
      { path: 'Note.md', sessionId: 'golden', force },
      {
        host,
        log,
        notes: openNoteFolder(vault, join(scratch, 'locks')),
        attachments: openAttachmentFolder(vault, attachmentsFolder),
      },
    );
    await log[Symbol.asyncDispose]();
    const files = join(vault, attachmentsFolder);
    return {
      run,
      after: readFileSync(join(vault, 'Note.md'), 'utf8'),
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
  sectionBindings: [],
}));
