import { stat } from 'node:fs/promises';
import { FilesError, openOwnerOnlyFile } from '@errand/files';
import { isRecord } from '@errand/wire';
import { LoginError } from './login-error.ts';
import type { TokenStore, Tokens } from './tokens.ts';

/** Another process may be refreshing the same tokens meanwhile, over a slow network. */
const patience = 30_000;

/**
 * Tokens in a file that only its owner can read. Its field names are those that Google's libraries use; fields
 * that are not known here stay in it.
 */
export function openTokenFile(path: string): Required<TokenStore> {
  const file = openOwnerOnlyFile(path, { patience });
  const update = async (change: (current: Tokens | undefined) => Promise<Tokens>) => {
    let tokens: Tokens | undefined;
    await explained(path, 'written', () =>
      file.change(async (text) => {
        // A new login replaces what is spoiled.
        const fields = parse(text ?? '') ?? {};
        tokens = await change(tokensOf(fields));
        return `${JSON.stringify({ ...fields, ...fieldsOf(tokens) }, undefined, 2)}\n`;
      }),
    );
    return tokens as Tokens;
  };
  return {
    read: () =>
      explained(path, 'read', async () => {
        const text = await file.read();
        if (text === undefined) return undefined;
        await refuseShared(path);
        const fields = parse(text);
        if (fields !== undefined) return tokensOf(fields);
        const message = `${path} holds no tokens that can be read. Delete it and log in again.`;
        throw new LoginError('token_file', message);
      }),
    update,
    save: async (tokens) => void (await update(async () => tokens)),
    clear: () => explained(path, 'removed', () => file.remove()),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function tokensOf(fields: Readonly<Record<string, unknown>>): Tokens | undefined {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [refreshToken, id] = [text('refresh_token'), text('client_id')];
  const accessToken = text('access_token') ?? '';
  if (accessToken === '' && refreshToken === undefined) return undefined;
  const { expiry_date: expiresAt } = fields;
  return {
    accessToken,
    refreshToken,
    // Without an access token there is none that has not expired.
    expiresAt: accessToken === '' ? 0 : typeof expiresAt === 'number' ? expiresAt : undefined,
    scopes: text('scope')?.split(' '),
    account: text('account'),
    tokenUrl: text('token_uri'),
    client: id === undefined ? undefined : { id, secret: text('client_secret') },
  };
}

function fieldsOf({
  accessToken,
  refreshToken,
  expiresAt,
  scopes,
  account,
  client,
  tokenUrl,
}: Tokens): object {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    expiry_date: expiresAt,
    token_type: 'Bearer',
    scope: scopes?.join(' '),
    account,
    token_uri: tokenUrl,
    client_id: client?.id,
    client_secret: client?.secret,
  };
}

/** What others could read is taken from them when the file is opened, where that is possible. */
async function refuseShared(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  throw new LoginError(
    'token_file',
    `Others can read ${path}, and that cannot be changed. Make the file yours, with the mode 600.`,
  );
}

async function explained<Result>(
  path: string,
  action: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const isSystem = cause instanceof Error && 'syscall' in cause;
    if (!isSystem && !(cause instanceof FilesError)) throw cause;
    throw new LoginError(
      'token_file',
      `The file of tokens ${path} cannot be ${action} (${cause.message}). Make it and its folder yours, and check the free disk space.`,
      { cause },
    );
  }
}
