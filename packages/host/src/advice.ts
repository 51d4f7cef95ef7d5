import type { HostErrorFacts } from './host-error.ts';
import type { ServerConfig } from './settings.ts';

/** What a person can do about a failure. Each face says how, in its own commands and places. */
export type Advice =
  | { readonly kind: 'enable-server'; readonly server: string }
  /** The server was given up: enabling it helps only once its cause is fixed. */
  | { readonly kind: 'enable-fixed-server'; readonly server: string }
  /** None is enabled; which one to enable is up to the person. */
  | { readonly kind: 'enable-any-server' }
  | { readonly kind: 'test-server'; readonly server: string }
  | {
      readonly kind: 'edit-server';
      readonly server: string;
      readonly deploymentType: ServerConfig['deploymentType'];
    }
  | { readonly kind: 'raise-start-timeout'; readonly server: string }
  | { readonly kind: 'use-container'; readonly server: string }
  | { readonly kind: 'list-servers' }
  | { readonly kind: 'add-server' }
  /** The settings hold another program's list of servers. */
  | { readonly kind: 'import-servers' }
  /** Look at what came with the vault, and agree to it or not. */
  | { readonly kind: 'review-trust' }
  | { readonly kind: 'set-secret'; readonly name: string }
  /** A provider's key belongs into a secret, and its name into the settings. */
  | { readonly kind: 'keep-key'; readonly secret: string }
  | { readonly kind: 'log-in'; readonly server: string }
  | { readonly kind: 'set-token'; readonly server: string }
  | { readonly kind: 'replace-edited-result' }
  /** A finished block was left as it is. */
  | { readonly kind: 'run-again' }
  /** Two programs wrote a note at once, and the text of the other one is in a file beside it. */
  | { readonly kind: 'merge-copy'; readonly note: string; readonly copy: string }
  | { readonly kind: 'list-blocks'; readonly note: string }
  | { readonly kind: 'list-sections'; readonly note: string }
  | { readonly kind: 'correct-tool' }
  | { readonly kind: 'reset-session' }
  | { readonly kind: 'resume-calls' }
  | { readonly kind: 'allow-more-time' }
  /** A model's call was refused because there was nobody to ask. */
  | { readonly kind: 'allow-unasked' }
  /** No language model is set up. */
  | { readonly kind: 'add-assistant' }
  | { readonly kind: 'name-notes-to-watch' }
  | { readonly kind: 'protect-gateway' }
  | { readonly kind: 'configure-gateway-client' };

/**
 * What helps against failures of a code, whoever reports them: problems of a note's text, and failures that were
 * stored without advice in a note, a log or a health record.
 */
export function adviceForCode(
  code: string,
  { server }: Pick<HostErrorFacts, 'server'> = {},
): readonly Advice[] {
  switch (code) {
    case 'output_edited':
      return [{ kind: 'replace-edited-result' }];
    case 'session_limit':
      return [{ kind: 'reset-session' }];
    case 'stopped':
      return [{ kind: 'resume-calls' }];
    case 'timeout':
      return [{ kind: 'allow-more-time' }];
    case 'tool_not_found':
      return [{ kind: 'correct-tool' }];
    case 'server_unknown':
      return [{ kind: 'list-servers' }];
    case 'untrusted':
      return [{ kind: 'review-trust' }];
    default:
      return server === undefined ? [] : adviceForServer(code, server);
  }
}

function adviceForServer(code: string, server: string): readonly Advice[] {
  switch (code) {
    case 'server_disabled':
      return [{ kind: 'enable-server', server }];
    case 'login_required':
      return [{ kind: 'log-in', server }];
    case 'server_unavailable':
    case 'container_exited':
      return [{ kind: 'test-server', server }];
    default:
      return [];
  }
}
