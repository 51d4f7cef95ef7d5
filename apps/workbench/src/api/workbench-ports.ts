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
import type { PageNotifier } from './page-notifier.ts';

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
  /** The host's notifier and elicitor. */
  readonly pageNotifier: PageNotifier;
}
