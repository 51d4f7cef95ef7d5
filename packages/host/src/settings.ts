import type { z } from 'zod';
import type { assistantSchema } from './settings/assistant-schema.ts';
import type {
  dockerConfigSchema,
  localConfigSchema,
  remoteConfigSchema,
} from './settings/launch-schemas.ts';
import type { sectionBindingSchema } from './settings/section-binding-schema.ts';
import type { approvalRules, serverSchema } from './settings/server-schema.ts';
import type { settingsSchema } from './settings/settings-schema.ts';

// What a settings file holds, after defaults. The schemas say what each field means; names are those on disk.

/** Everything a vault's settings file holds. */
export interface Settings extends Frozen<z.output<typeof settingsSchema>> {
  readonly version: 1;
  readonly mcpServers: readonly ServerConfig[];
  /** Language models that may use the tools; the first is the default. */
  readonly assistants: readonly AssistantConfig[];
}

/** The mailbox that becomes notes. */
export type MailSettings = NonNullable<Settings['mail']>;

/** A language model and how it is reached. */
export type AssistantConfig = Frozen<z.output<typeof assistantSchema>>;

/** One registered server. Which of the config objects is present follows from type and transport. */
export interface ServerConfig
  extends Omit<Frozen<z.output<typeof serverSchema>>, 'sectionBindings' | 'deploymentType'> {
  /** `face` is never stored: a running program lends its own tools, and the entry goes with it. */
  readonly deploymentType: z.output<typeof serverSchema>['deploymentType'] | 'face';
  readonly sectionBindings: readonly SectionBinding[];
}

export type ApprovalRule = (typeof approvalRules)[number];

/** A program started on this machine. `${env:NAME}` and `${secret:NAME}` are expanded when used. */
export type LocalConfig = Frozen<z.output<typeof localConfigSchema>>;

/** What a sandboxed program may reach; everything else is hidden from it. */
export type SandboxConfig = NonNullable<LocalConfig['sandbox']>;

/** A file or folder that a sandboxed program sees under the same path as outside. */
export type SandboxMount = NonNullable<SandboxConfig['mounts']>[number];

/** A container that the host starts and removes. */
export type DockerConfig = Frozen<z.output<typeof dockerConfigSchema>>;

/** A remote server, which we neither start nor stop. */
export type RemoteConfig = Frozen<z.output<typeof remoteConfigSchema>>;

/** A part of a note, or of all notes, whose calls go to one server. */
export type SectionBinding = Frozen<z.output<typeof sectionBindingSchema>>;

/** The same data, readonly in depth. */
type Frozen<Value> = Value extends readonly (infer Each)[]
  ? readonly Frozen<Each>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;
