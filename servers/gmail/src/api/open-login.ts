import { join, resolve } from 'node:path';
import {
  type AccessTokens,
  createAccessTokens,
  google,
  googleAddress,
  openTokenFile,
  readGoogleClient,
  refreshTokens,
  type TokenStatus,
} from '@errand/server-kit';
import { stateFolder } from '../state-folder.ts';
import { howToLogIn } from './gmail-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The login that `errand mail login` made, and where it is valid. */
export interface Login {
  readonly tokens: AccessTokens;
  readonly tokenPath: string;
  readonly apiUrl: string;
  /** Says what is wrong with the login. */
  problem(state: TokenStatus['state'], why: string | undefined): string;
}

/** Opens the tokens of the mailbox. Nobody has to be logged in yet. */
export function openLogin(env: Environment): Login {
  const tokenPath = resolve(env.GMAIL_TOKEN_PATH || join(stateFolder(env), 'mail', 'gmail.json'));
  const tokens = createAccessTokens({
    store: openTokenFile(tokenPath),
    async refresh(current) {
      const file = env.GMAIL_CREDENTIALS_PATH;
      // Tokens that other programs made do not say which client they belong to.
      const known = current.client === undefined && file ? await readGoogleClient(file) : undefined;
      const tokenUrl = current.tokenUrl ?? known?.tokenUrl ?? google.tokenUrl;
      return refreshTokens(current, {
        tokenUrl: googleAddress('"token_uri"', tokenUrl),
        client: current.client ?? known?.client ?? { id: '' },
      });
    },
    howToLogIn,
  });
  return {
    tokens,
    tokenPath,
    apiUrl: googleAddress('GMAIL_API_URL', env.GMAIL_API_URL || google.gmailUrl),
    problem: (state, why) => {
      const what =
        state === 'logged-out'
          ? 'Nobody is logged in to Gmail.'
          : 'The login to Gmail does not work.';
      return [what, why, howToLogIn].filter((each) => each !== undefined).join(' ');
    },
  };
}
