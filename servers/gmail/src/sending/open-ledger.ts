import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { McpError, StartError } from '@errand/server-kit';
import { howToLogIn } from '../api/gmail-error.ts';
import type { Login } from '../api/open-login.ts';
import { stateFolder } from '../state-folder.ts';
import type { Ledger } from './ledger.ts';
import { openPostgresLedger } from './postgres-ledger.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

/** Opens the ledger at an address of a database or in a file; without either, the one of the login. */
export function openLedger(given: string | undefined, { tokens, tokenPath }: Login): Ledger {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(given ?? '') ?? [];
  if (given === undefined || scheme === undefined) {
    return openFile(given === undefined ? defaultFile(tokenPath) : resolve(given));
  }
  if (!/^postgres(?:ql)?$/i.test(scheme) || !URL.canParse(given)) {
    throw new StartError(
      'usage',
      `--ledger ${scheme}://… is no address of a PostgreSQL. Use postgres://USER@HOST/DATABASE, or the path of a file.`,
    );
  }
  return openPostgresLedger({
    url: given,
    async mailbox() {
      const { account } = await tokens.status();
      if (account !== undefined) return account;
      throw new McpError(
        'auth_required',
        `The login does not say whose mailbox it is, and a shared ledger needs that. ${howToLogIn}`,
      );
    },
  });
}

function openFile(file: string): Ledger {
  try {
    return openSqliteLedger(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
    throw new StartError(
      'invalid_setting',
      `The ledger of sent mails ${file} cannot be opened (${why}). Put it right, or name another file with --ledger: one that is empty does not know what was sent.`,
      { cause },
    );
  }
}

/** One ledger for each login, whichever vault its servers work for. */
function defaultFile(tokenPath: string): string {
  const name = createHash('sha256').update(resolve(tokenPath)).digest('hex').slice(0, 16);
  return join(stateFolder(process.env), 'gmail', `ledger-${name}.sqlite`);
}
