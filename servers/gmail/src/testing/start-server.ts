import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StartedServer, startStdioServer } from '@errand/server-kit/testing';

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
  program = [process.execPath, main],
}: StartOptions): Promise<StartedServer> {
  const server = await startStdioServer([...program, ...place, '--ledger', ledger, ...args], {
    HOME: home.folder,
    GMAIL_API_URL: url,
    GMAIL_TOKEN_PATH: home.tokens,
    ...env,
  });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      const refused = server.refused();
      await server[Symbol.asyncDispose]();
      // Every test shows that nothing leaves this computer, but for the one that tries to.
      if (url !== '' && refused.length > 0) throw new Error(`went to ${refused.join(', ')}`);
    },
  };
}
