export {
  type GoogleClient,
  gmailScopes,
  google,
  googleAddress,
  missingScopes,
  readGoogleClient,
  tokenAddress,
} from './google.ts';
export { logInByCode } from './log-in-by-code.ts';
export { LoginError, type LoginErrorCode } from './login-error.ts';
export { type LoginPrompt, RedirectListener } from './redirect-listener.ts';
export { openTokenFile } from './token-file.ts';
export { refreshTokens, revokeToken } from './token-requests.ts';
export type { OAuthClient, TokenStore, Tokens } from './tokens.ts';
