export interface Completion {
  readonly servers: readonly CompletionServer[];
}

export interface CompletionServer {
  readonly name: string;
  readonly enabled: boolean;
  /** Empty while the server was never connected. */
  readonly tools: readonly CompletionTool[];
}

export interface CompletionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly CompletionParameter[];
}

export interface CompletionParameter {
  readonly name: string;
  /** In words: `text`, `whole number`, `one of: a, b`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly choices: readonly unknown[];
}
