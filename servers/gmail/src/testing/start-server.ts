import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLoopbackGuard } from '@errand/server-kit/testing';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The folders of one user: a vault, a login and the state of programs. */
export interface Home extends Disposable {
  readonly folder: string;
  readonly vault: string;
  readonly ledger: string;
  readonly tokens: string;
}

/** Makes a home with a login in a temporary folder. */
export function makeHome(url: string, tokens: object = {}): Home {
  const folder = mkdtempSync(join(tmpdir(), 'errand-gmail-'));
  const home = {
    folder,
    vault: join(folder, 'vault'),
    ledger: join(folder, 'ledger.sqlite'),
    tokens: join(folder, 'tokens.json'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  mkdirSync(home.vault);
  const login = {
    access_token: 'access-secret-1',
    refresh_token: 'refresh-secret-1',
    client_id: 'client',
    client_secret: 'client-secret-1',
    token_uri: `${url}/oauth2/token`,
    account: 'owner@example.org',
    expiry_date: Date.now() + 3_600_000,
  };
  writeFileSync(home.tokens, JSON.stringify({ ...login, ...tokens }), { mode: 0o600 });
  return home;
}

export interface StartedServer extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  /** What it has written to standard error. */
  stderr(): string;
  /** Where it wanted to go beyond this machine. */
  refused(): readonly string[];
  /** Calls a tool and answers with its structured content, or with the error it reported. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

interface StartOptions {
  readonly home: Home;
  readonly url: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another ledger than the file of the home. */
  readonly ledger?: string | undefined;
  readonly program?: readonly string[];
  /** Another place for its logs than the vault of the home. */
  readonly place?: readonly string[];
}

const main = join(import.meta.dirname, '..', 'main.ts');

/** Starts the real server for a mailbox and speaks MCP to it. */
export async function startServer({
  home,
  url,
  args = [],
  env = {},
  ledger = home.ledger,
  place = ['--vault', home.vault],
  program,
}: StartOptions): Promise<StartedServer> {
  const guard = createLoopbackGuard();
  const client = new Client({ name: 'gmail-test', version: '0.0.0' });
  const [command = '', ...rest] = program ?? [process.execPath, main];
  const transport = new StdioClientTransport({
    command,
    args: [...rest, ...place, '--ledger', ledger, ...args],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home.folder,
      GMAIL_API_URL: url,
      GMAIL_TOKEN_PATH: home.tokens,
      MCP_LOG_LEVEL: 'debug',
      ...guard.env,
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      ...env,
    },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    refused: () => guard.refused(),
    async call(tool, input = {}) {
      const { content, structuredContent } = await client.callTool(
        { name: tool, arguments: { ...input } },
        { timeout: 60_000 },
      );
      if (structuredContent !== undefined) return structuredContent as Record<string, unknown>;
      const [part] = content;
      return JSON.parse(part?.type === 'text' ? part.text : '{}');
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      const refused = guard.refused();
      guard[Symbol.dispose]();
      // Every test shows that nothing leaves this computer, but for the one that tries to.
      if (url !== '' && refused.length > 0) throw new Error(`went to ${refused.join(', ')}`);
    },
  };
}
