import type {
  CallLog,
  Connectors,
  Host,
  ReferenceSources,
  RunNotePorts,
  SecretStore,
  SettingsStore,
  Trust,
} from '@errand/host';
import type { JsonObject } from '@errand/wire';
import type { PageNotifier } from './page-notifier.ts';

/** What the owner of the vault runs besides the host; other programs are asked over its socket. */
export interface VaultServices {
  /** Undefined when no program owns the vault. */
  request(
    request: { readonly service: string; readonly method: string; readonly params: JsonObject },
    signal?: AbortSignal,
  ): Promise<{ readonly value: unknown } | undefined>;
  readonly serviceEvents: {
    subscribe(
      listener: (event: { readonly service: string; readonly event: JsonObject }) => void,
    ): () => void;
  };
}

/** The dependencies of the workbench. */
export interface WorkbenchPorts extends Omit<RunNotePorts, 'host' | 'log'> {
  readonly version: string;
  /** The vault's folder. */
  readonly folder: string;
  /** Where the built page is; it may be missing. */
  readonly pageFolder: string;
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  /** Where the references in an assistant's key are looked up. */
  readonly references: ReferenceSources;
  readonly trust: Pick<
    Trust,
    'verdict' | 'mayStart' | 'show' | 'verdictOfAssistant' | 'mayUse' | 'agree' | 'agreeTo'
  >;
  readonly connectors: Connectors;
  readonly log: CallLog;
  /** Missing when this program shares nothing with others. */
  readonly services?: VaultServices;
  /** The host's notifier and elicitor. */
  readonly pageNotifier: PageNotifier;
}
