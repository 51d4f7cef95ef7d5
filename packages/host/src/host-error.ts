import type { Advice } from './advice.ts';
import type { ErrorInfo } from './tool-invocation.ts';

/** Why a call, a server or a setting failed. These names are written into notes, logs and JSON. */
export type HostErrorCode =
  /** No server of that name or id is registered. */
  | 'server_unknown'
  /** The server is switched off, by a person or after repeated failures. */
  | 'server_disabled'
  /** The server could not be reached, or was lost while it worked. */
  | 'server_unavailable'
  /** The server has no such tool. */
  | 'tool_not_found'
  /** The parameters do not fit the tool's schema. */
  | 'invalid_params'
  /** The block's body is not YAML. */
  | 'yaml_invalid'
  /** The block is YAML but not a request: no tool, an unknown option, too large. */
  | 'block_invalid'
  /** The section is bound to another server, or its binding is broken. */
  | 'section_forbids'
  /** The call took longer than allowed. */
  | 'timeout'
  /** A person or the caller ended this call. */
  | 'cancelled'
  /** A person stopped all calls; new ones are refused until resumed. */
  | 'stopped'
  /** The session made as many calls as it may. */
  | 'session_limit'
  /** The tool ran and reported a failure. */
  | 'tool_failed'
  /** The answer is larger than can be taken. */
  | 'result_too_large'
  /** A model asked for the call and a person, or a rule, said no. */
  | 'approval_denied'
  /** No Docker engine answers. */
  | 'docker_unavailable'
  /** The engine does not have the image and could not get it. */
  | 'image_missing'
  /** Another program listens on the port the container should publish. */
  | 'port_in_use'
  /** The container ended by itself. */
  | 'container_exited'
  /** The result below the block was edited by hand. */
  | 'output_edited'
  /** The block has an answer, and its tool may act again when it is called again. */
  | 'already_done'
  /** The note changed so much that the block cannot be found for certain. */
  | 'note_changed'
  /** There is no such note, it may not be read or written, or it is not UTF-8 text. */
  | 'note_unreadable'
  /** The settings file, or an entry in it, is wrong. */
  | 'settings_invalid'
  /** A secret or environment variable that the settings name is not set. */
  | 'secret_missing'
  /** The entry came with the vault and nobody on this machine has agreed to it yet. */
  | 'untrusted'
  /** The remote server wants a person to log in. */
  | 'login_required'
  /** The program that ran the servers for this one ended, or was replaced by another. */
  | 'owner_lost'
  /** Another program owns the vault and does not make way. */
  | 'vault_owned';

/** What is known about a failure beyond its sentence. */
export interface HostErrorFacts {
  readonly server?: string;
  readonly tool?: string;
  /** Dotted path of the setting or parameter that is wrong. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly exitCode?: number;
  /** Calls that the session may make. */
  readonly limit?: number;
  /** Milliseconds that the call was given. */
  readonly timeoutMs?: number;
  /** The port that another program listens on. */
  readonly port?: number;
  /** The fixed words that the message begins with, where people know the failure by them (R8). */
  readonly headline?: string;
  /** What the message says beyond its headline, or beyond the place of a wrong setting. */
  readonly detail?: string;
  /** The last lines the server wrote to standard error. */
  readonly lastOutput?: string;
  /** True when the request certainly never reached the server, so repeating it is safe (D4). */
  readonly neverSent?: boolean;
  /** True when the cause is not the server's fault and passes by itself: no network, asked to wait (D28). */
  readonly isPassing?: boolean;
  /** Milliseconds that the server asked us to wait. */
  readonly retryAfter?: number;
}

export interface HostErrorOptions extends ErrorOptions {
  readonly advice?: readonly Advice[];
}

/**
 * Every failure the host reports. Branch on `code` and `facts`. The message says what happened to what, in words
 * that are true in every face; what to do about it is `advice`, which each face renders.
 */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  readonly facts: HostErrorFacts;
  readonly advice: readonly Advice[];

  constructor(
    code: HostErrorCode,
    message: string,
    facts: HostErrorFacts = {},
    { advice = [], ...options }: HostErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.facts = facts;
    this.advice = advice;
  }

  /** The failure of a value, to be thrown. */
  static of({ code, message, facts, advice = [] }: ErrorInfo): HostError {
    return new HostError(code, message, facts, { advice });
  }

  /** The same failure with more facts, or others. */
  withFacts(facts: HostErrorFacts, cause: unknown = this): HostError {
    const { code, message, advice } = this;
    return new HostError(code, message, { ...this.facts, ...facts }, { cause, advice });
  }
}

/** A failure without its facts, as reports and JSON have it. */
export function briefFailure({
  code,
  message,
  advice = [],
}: Pick<ErrorInfo, 'code' | 'message' | 'advice'>): Pick<ErrorInfo, 'code' | 'message' | 'advice'> {
  return { code, message, ...(advice.length > 0 && { advice }) };
}
