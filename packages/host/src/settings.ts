/** Everything a vault's settings file holds, after defaults. Names are those stored on disk. */
export interface Settings {
  readonly version: 1;
  readonly mcpServers: readonly ServerConfig[];
  /** Milliseconds a call may take, 1,000 to 300,000. */
  readonly mcpGlobalTimeout: number;
  /** Calls running at once; -1 is unlimited. */
  readonly mcpConcurrentLimit: number;
  /** Calls of one session; -1 is unlimited. */
  readonly mcpSessionLimit: number;
  readonly onError: 'replace' | 'keep';
  readonly attachmentsFolder: string;
  readonly logParameters: boolean;
  readonly logDays: number;
  readonly logMegabytes: number;
  /** Other programs whose configured servers are shown beside ours. */
  readonly discovery: readonly string[];
  /** Language models that may use the tools; the first is the default. */
  readonly assistants: readonly AssistantConfig[];
}

/** A language model and how it is reached. */
export interface AssistantConfig {
  /** Opens its answers in a note: `#Claude :`. */
  readonly name: string;
  readonly provider: 'anthropic' | 'openai' | 'google' | 'openai-compatible';
  readonly model: string;
  /** Where its API is, when it is not the provider's own. */
  readonly baseUrl?: string;
  /** A reference, `${env:NAME}` or `${secret:NAME}`; never the key itself. */
  readonly key?: string;
  readonly temperature?: number;
}

/** One registered server. Which of the config objects is present follows from type and transport. */
export interface ServerConfig {
  readonly id: string;
  readonly name: string;
  readonly transport: 'stdio' | 'sse' | 'http';
  readonly deploymentType: 'local' | 'managed' | 'external';
  readonly localConfig?: LocalConfig;
  readonly dockerConfig?: DockerConfig;
  readonly httpConfig?: RemoteConfig;
  readonly sseConfig?: RemoteConfig;
  readonly enabled: boolean;
  readonly lastConnectedAt?: number;
  readonly failureCount: number;
  readonly autoDisabled: boolean;
  readonly sectionBindings: readonly SectionBinding[];
  /** Whether a model's calls are asked about; see `approvalRules`. */
  readonly approval?: ApprovalRule;
  /** Milliseconds a call to this server may take instead of the global timeout. */
  readonly timeout?: number;
  /** Milliseconds it may take to start, instead of what its kind is allowed. */
  readonly startTimeout?: number;
  /** Pins a stdio server to one protocol era; otherwise the older is tried first. */
  readonly era?: 'legacy' | 'modern';
}

/**
 * What becomes of a model's call: `ask` a person unless the tool only reads, `always` ask, `allow` all, or
 * `deny` all that does not only read.
 */
export const approvalRules = ['ask', 'always', 'allow', 'deny'] as const;

export type ApprovalRule = (typeof approvalRules)[number];

/** A program started on this machine. `${env:NAME}` and `${secret:NAME}` are expanded when used. */
export interface LocalConfig {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to the vault. */
  readonly cwd?: string;
  /** Without it the program runs with all rights of the user. */
  readonly sandbox?: SandboxConfig;
}

/** What a sandboxed program may reach; everything else is hidden from it. */
export interface SandboxConfig {
  readonly kind: 'bwrap';
  /** It has none without this. */
  readonly network?: boolean;
  readonly mounts?: readonly SandboxMount[];
}

/** A file or folder that a sandboxed program sees under the same path as outside. */
export interface SandboxMount {
  /** Relative to the vault. */
  readonly source: string;
  readonly writable?: boolean;
}

/** A container that the host starts and removes. */
export interface DockerConfig {
  readonly image: string;
  readonly containerName: string;
  readonly command?: readonly string[];
  /** Inside port to outside port on 127.0.0.1; outside 0 lets the engine choose. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly memory?: string;
  readonly cpus?: number;
  readonly mounts?: readonly DockerMount[];
  readonly network?: string;
  /** A read-only system with a private /tmp, no privileges, an ordinary user, and a limit of processes. */
  readonly sandboxed?: boolean;
}

export interface DockerMount {
  /** A folder on this machine, relative to the vault. */
  readonly source: string;
  readonly target: string;
  readonly writable?: boolean;
}

/** A server somebody else runs. */
export interface RemoteConfig {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A part of a note, or of all notes, whose calls go to one server. */
export interface SectionBinding {
  readonly sectionType: 'heading' | 'block' | 'range';
  readonly headingText?: string;
  readonly blockId?: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly serverId: string;
  readonly inheritToChildren: boolean;
  /** A glob of notes; without it a heading or block binding holds in every note. */
  readonly documentPath?: string;
}
