import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { patient, program, TestVault } from '../end-to-end/errand-process.ts';

const note = `---
mcp:
  sections:
    - heading: Data
      server: db
    - heading: Broken
      server: dbb
---

# Free

# Data

# Broken

# By settings
`;
const lines = { free: 10, data: 12, broken: 14, settings: 16 };

test(
  'over stdio a client is offered what the section allows, as the note says at that moment',
  patient,
  async () => {
    using vault = openVault();
    await using client = await overStdio(vault, `Note.md:${lines.data}`);
    await client.connected('db', 'fix');
    expect(await client.servers()).toEqual(['db']);
    expect(await client.call('db__echo')).toBe('hello');
    await expect(client.call('fix__echo')).rejects.toThrow(
      'fix__echo is not offered for this note',
    );

    writeFileSync(vault.path('Note.md'), note.replace('server: db\n', 'server: fix\n'));
    expect(await client.servers()).toEqual(['fix']);
    await expect(client.call('db__echo')).rejects.toThrow('not offered');

    writeFileSync(vault.path('Note.md'), note.replace('server: db\n', 'server: nobody\n'));
    await expect(client.servers()).rejects.toThrow(
      'No server may be called here. Frontmatter line 4',
    );
    await expect(client.call('db__echo')).rejects.toThrow(
      'No server may be called here. Frontmatter line 4',
    );
  },
);

test('over HTTP each client chooses its note by the address', patient, async () => {
  using vault = openVault();
  using gateway = vault.start('gateway', '--port', '0');
  const url = await addressOf(gateway.child.stdout);
  const ask = async (query: string) => {
    await using client = await overHttp(`${url}${query}`);
    return await client.servers().catch((error: Error) => error.message);
  };
  await using everything = await overHttp(url);
  await everything.connected('db', 'fix');
  expect(await ask('')).toEqual(['db', 'fix']);
  expect(await ask('?note=Note.md')).toEqual(['db', 'fix']);
  expect(await ask(`?note=Note.md&line=${lines.free}`)).toEqual(['db', 'fix']);
  expect(await ask(`?note=Note.md&line=${lines.data}`)).toEqual(['db']);
  expect(await ask(`?note=Note.md&line=${lines.settings}`)).toEqual(['db']);
  expect(await ask(`?note=Folder/../Note.md&line=${lines.settings}`)).toEqual(['db']);
  expect(await ask(`?note=Note.md&line=${lines.broken}`)).toContain('Frontmatter line 6');
  expect(await ask('?note=../Outside.md')).toContain('is not in the vault');
  expect(await ask('?note=/etc/hostname')).toContain('is not in the vault');
  expect(await ask('?note=Nowhere.md')).toContain('There is no note Nowhere.md.');
  expect(await ask('?note=Note.md&line=0')).toContain('is not a line');
});

test('a gateway that is limited to a note offers no client more', patient, async () => {
  using vault = openVault();
  using gateway = vault.start('gateway', '--port', '0', '--note', `Note.md:${lines.data}`);
  const url = await addressOf(gateway.child.stdout);
  await using limited = await overHttp(url);
  await limited.connected('db', 'fix');
  expect(await limited.servers()).toEqual(['db']);
  await using other = await overHttp(`${url}?line=1`);
  expect(await other.servers()).toEqual(['db']);
  await expect(overHttp(`${url}?note=Note.md`)).rejects.toThrow('limited to one note');
});

test('a note that cannot be read ends the gateway before it begins', patient, async () => {
  using vault = openVault();
  expect(await vault.errand('gateway', '--stdio', '--note', 'Nowhere.md')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'There is no note Nowhere.md.\n',
  });
});

/** What clients of the gateway present. */
const token = 'the-token-of-this-test';

function openVault(): TestVault {
  const vault = TestVault.trusted({ notes: { 'Note.md': note } });
  vault.env.ERRAND_TOKEN = token;
  const bySettings = {
    sectionType: 'heading',
    headingText: '# By settings',
    serverId: 'db',
    inheritToChildren: true,
    documentPath: 'Note.md',
  } as const;
  const db = { id: 'db', name: 'db', sectionBindings: [bySettings] };
  return vault.add(vault.scripted(), vault.scripted({}, db));
}

interface ScopedClient extends AsyncDisposable {
  /** Waits until the gateway has reached these servers, whether or not it offers them. */
  connected(...servers: readonly string[]): Promise<void>;
  /** The servers whose tools are offered. */
  servers(): Promise<readonly string[]>;
  call(tool: string): Promise<unknown>;
}

async function overStdio(vault: TestVault, place: string): Promise<ScopedClient> {
  const args = [program, 'gateway', '--stdio', '--note', place];
  const env = vault.env as Record<string, string>;
  return connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: vault.folder }),
  );
}

function overHttp(url: string): Promise<ScopedClient> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
}

async function connect(transport: Parameters<Client['connect']>[0]): Promise<ScopedClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string) => {
    const { content } = await client.callTool({ name, arguments: { text: 'hello' } });
    return (content as readonly { readonly text?: string }[])[0]?.text;
  };
  return {
    connected: async (...servers) => {
      for (const server of servers) {
        const isReached = () =>
          call(`${server}__echo`).then(
            () => true,
            (error: Error) => !error.message.includes('Unknown tool'),
          );
        while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    servers: async () => {
      const { tools } = await client.listTools();
      return [...new Set(tools.map(({ name }) => name.split('__')[0] ?? ''))].sort();
    },
    call,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function addressOf(stdout: NodeJS.ReadableStream | null): Promise<string> {
  if (stdout === null) throw new Error('The gateway has no output.');
  const [line] = await once(stdout, 'data');
  return String(line).trim();
}
