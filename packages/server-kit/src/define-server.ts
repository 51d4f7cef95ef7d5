import type { McpServer, McpServerOptions } from '@modelcontextprotocol/server';
import type { ToolDefinition, ToolInfo } from './define-tool.ts';
import type { Logger } from './logger.ts';

/** A command-line option of the server's own; without `value` it is a switch. */
export interface OptionDeclaration {
  /** The placeholder for its value in the help, such as `DIR`. */
  readonly value?: string;
  readonly description: string;
  /** The environment variable that gives the value when the option is absent. */
  readonly env?: string;
  readonly required?: boolean;
}

export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

type OptionValue<D extends OptionDeclaration> = D extends { readonly value: string }
  ? D extends { readonly required: true }
    ? string
    : string | undefined
  : boolean;

type OptionValues<D extends OptionDeclarations> = {
  readonly [Name in keyof D]: OptionValue<D[Name]>;
};

export interface StartContext<D extends OptionDeclarations> {
  /** The server's own options, as declared. */
  readonly options: OptionValues<D>;
  readonly log: Logger;
  /** Aborted when the server is stopped before or after it has started. */
  readonly signal: AbortSignal;
}

/** What a server adds to its health; any issue makes it degraded. */
export interface HealthContribution {
  readonly issues?: readonly string[];
  /** Facts shown by `health_check`, such as `note_count`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Direct access to the SDK for what the kit does not cover: resources, prompts, sampling. */
export interface SdkExtension {
  readonly options?: McpServerOptions;
  /** Adds to the SDK server that each client gets. */
  register?(server: McpServer): void;
}

/** The parts of a started server. */
export interface ServerParts {
  readonly tools?: readonly ToolDefinition[];
  health?(signal: AbortSignal): Promise<HealthContribution> | HealthContribution;
  /**
   * Says by its metadata why a tool cannot be used here, in a sentence, or nothing when it can. Asked before tools are
   * listed, which leaves it out, and before each call, which is refused with the sentence.
   */
  whyNotOffered?(
    tool: ToolInfo,
    signal: AbortSignal,
  ): Promise<string | undefined> | string | undefined;
  readonly sdk?: SdkExtension;
  /** Releases what `start` opened; called once, after the last call has ended. */
  stop?(): Promise<void> | void;
}

export interface ServerDefinition<D extends OptionDeclarations = OptionDeclarations>
  extends Omit<ServerParts, 'stop'> {
  readonly name: string;
  /** The server's own version, as semver. */
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly options?: D;
  /** Opens resources and answers with the tools that need them; runs once, before any client. */
  start?(context: StartContext<D>): Promise<ServerParts> | ServerParts;
}

const semver = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/** Declares a server. */
export function defineServer<const D extends OptionDeclarations = Record<never, never>>(
  server: ServerDefinition<D>,
): ServerDefinition<D> {
  if (server.name.trim() === '') throw new TypeError('A server needs a name.');
  if (!semver.test(server.version)) {
    const example = 'Use three numbers such as 1.0.0.';
    throw new TypeError(`"${server.version}" is no version of ${server.name}. ${example}`);
  }
  return server;
}
