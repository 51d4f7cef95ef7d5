import { HostError } from '@errand/host';
import type { Tokens } from '@errand/oauth';
import { Command } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  withCommonOptions,
} from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import {
  askAccount,
  checkLogin,
  clientFor,
  gmailAddress,
  type LoginState,
  stateOf,
  tokenFileOf,
} from '../../gmail-login.ts';
import { loginPrompt } from '../../login-prompt.ts';
import { table } from '../../table.ts';

interface LoginOptions extends CommonOptions {
  readonly client?: string;
}

interface StatusOptions extends CommonOptions {
  readonly check?: boolean;
}

/** A person has to find the page, choose an account and read what they agree to. */
const loginMs = 10 * 60_000;

const permissionsPage = 'https://myaccount.google.com/permissions';

/** `errand mail login`, `logout`, `status`: the login that the mail server uses. */
export function loginCommands(context: CommandContext): readonly Command[] {
  const { terminal, signal } = context;
  const { stdout, stderr } = terminal;
  const tokenFile = tokenFileOf(terminal);

  const login = new Command('login')
    .description('Log in to Gmail, in a browser or by pasting the address it ends at.')
    .option('--client <file>', "the JSON file of your client from Google's console")
    .action((options: LoginOptions) =>
      explained(async () => {
        const { gmailScopes, logInByCode, missingScopes, openTokenFile } = await loadOAuth();
        const store = openTokenFile(tokenFile);
        const { client, authorizeUrl, tokenUrl } = await clientFor(options.client, terminal, store);
        const gmailUrl = await gmailAddress(terminal);
        const given = await logInByCode({
          authorizeUrl,
          tokenUrl,
          client,
          scopes: gmailScopes,
          // Without these Google gives a refresh token at the first login only.
          parameters: { access_type: 'offline', prompt: 'consent' },
          prompt: loginPrompt(context),
          signal: AbortSignal.any([signal, AbortSignal.timeout(loginMs)]),
        });
        if (given.refreshToken === undefined) {
          throw new HostError(
            'login_required',
            `Google gave a login that ends within the hour, and nothing was stored. Remove the access of your client at ${permissionsPage} and run errand mail login again.`,
          );
        }
        await store.save(given);
        const { account, problem } = await askAccount(given.accessToken, gmailUrl, signal);
        // A server may have renewed the tokens meanwhile.
        if (account !== undefined) await store.update(async (now = given) => ({ ...now, account }));
        const missing = missingScopes(given.scopes);
        if (problem !== undefined) stderr.write(`${problem}\n`);
        const json = {
          outcome: 'logged-in',
          account,
          scopes: given.scopes,
          missingScopes: missing,
          tokenFile,
        };
        stdout.write(
          options.json
            ? `${JSON.stringify(json, undefined, 2)}\n`
            : `Logged in to Gmail${account === undefined ? '' : ` as ${account}`}.\n${missingText(missing)}`,
        );
        context.end(exitCode.ok);
      }),
    );

  const logout = new Command('logout')
    .description('Forget the login to Gmail, here and at Google.')
    .action((options: CommonOptions) =>
      explained(async () => {
        const { LoginError, openTokenFile, revokeToken, tokenAddress } = await loadOAuth();
        const store = openTokenFile(tokenFile);
        const tokens = await store.read().catch((error): Tokens => {
          // What cannot be read is removed all the same.
          if (error instanceof LoginError) return { accessToken: '' };
          throw error;
        });
        const token = tokens?.refreshToken ?? tokens?.accessToken ?? '';
        const revokeUrl = new URL('revoke', tokenAddress(tokens)).href;
        const isRevoked = token !== '' && (await revokeToken(token, { revokeUrl, signal }));
        await store.clear();
        const wasLoggedIn = tokens !== undefined;
        if (wasLoggedIn && !isRevoked) {
          stderr.write(`Google did not take the access back. Remove it at ${permissionsPage}\n`);
        }
        const text = wasLoggedIn ? 'Logged out of Gmail.' : 'There was no login to Gmail.';
        const json = { wasLoggedIn, isRevoked, tokenFile };
        stdout.write(options.json ? `${JSON.stringify(json, undefined, 2)}\n` : `${text}\n`);
        context.end(exitCode.ok);
      }),
    );

  const status = new Command('status')
    .description('Show who is logged in to Gmail, with which rights and for how long.')
    .option('--check', 'ask Google whether the login is still valid')
    .action((options: StatusOptions) =>
      explained(async () => {
        const { missingScopes, openTokenFile } = await loadOAuth();
        const store = openTokenFile(tokenFile);
        const read = await store.read();
        const { tokens, state } = options.check
          ? await checkLogin(read, store, signal)
          : stateOf(read);
        const missing = tokens === undefined ? [] : missingScopes(tokens.scopes);
        const json = {
          state,
          account: tokens?.account,
          scopes: tokens?.scopes,
          missingScopes: missing,
          expiresAt: timeOf(tokens),
          isRenewable: tokens?.refreshToken !== undefined,
          tokenFile,
        };
        stdout.write(options.json ? `${JSON.stringify(json, undefined, 2)}\n` : statusText(json));
        context.end(state === 'logged-in' ? exitCode.ok : exitCode.failed);
      }),
    );

  return [login, logout, status].map((each) => withCommonOptions(each));
}

/** Loaded by those who use it. */
function loadOAuth() {
  return import('@errand/oauth');
}

function timeOf(tokens: Tokens | undefined): string | undefined {
  return tokens?.expiresAt === undefined ? undefined : new Date(tokens.expiresAt).toISOString();
}

interface ShownStatus {
  readonly state: LoginState;
  readonly account?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly missingScopes: readonly string[];
  readonly expiresAt?: string | undefined;
  readonly isRenewable: boolean;
  readonly tokenFile: string;
}

function statusText(status: ShownStatus): string {
  const { state, account = 'unknown', expiresAt, isRenewable, tokenFile } = status;
  const { scopes = [], missingScopes } = status;
  if (state === 'logged-out')
    return 'Nobody is logged in to Gmail. Log in with: errand mail login\n';
  const rows = [
    ['account', account],
    ['state', state === 'ended' ? 'ended; log in again with: errand mail login' : 'logged in'],
    [
      'access until',
      `${expiresAt ?? 'unknown'}${isRenewable ? ', then renewed automatically' : ''}`,
    ],
    ['rights', scopes.map(shortScope).join(', ')],
    ['stored in', tokenFile],
  ];
  return `${table(rows)}${missingText(missingScopes)}`;
}

function missingText(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  const names = missing.map(shortScope).join(', ');
  return `Not granted: ${names}. What needs them fails. Log in again and tick every box: errand mail login\n`;
}

/** Google's rights are named by addresses, of which the last part tells them apart. */
function shortScope(scope: string): string {
  return scope.replace('https://www.googleapis.com/auth/', '');
}

/** Failures of logins as failures of a command. */
async function explained(work: () => Promise<void>): Promise<void> {
  const { LoginError } = await loadOAuth();
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof LoginError)) throw cause;
    const { code, message } = cause;
    if (code === 'client_file' || code === 'token_file') {
      throw new HostError('settings_invalid', message, {}, { cause });
    }
    throw new HostError(
      'login_required',
      `The login to Gmail did not work. ${message} Try again with: errand mail login`,
      {},
      { cause },
    );
  }
}
