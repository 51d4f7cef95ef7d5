import type {
  CallLog,
  Elicitor,
  Host,
  HostPorts,
  HostRole,
  Notifier,
  ReferenceSources,
  SchemaGuard,
  SecretStore,
  Trust,
} from '@errand/host';
import { ParameterChecker } from '@errand/host';
import type { ConnectorPorts } from './open-connectors.ts';

/** What sharing a vault's host takes. */
export interface VaultSharing
  extends Pick<Trust, 'approvalOf' | 'mayUse'>,
    Pick<Host, 'check' | 'hints'>,
    Pick<Required<HostPorts>, 'trust' | 'realNotePath'> {
  readonly vault: string;
  readonly stateFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly notifier: Notifier;
  readonly elicitor?: Elicitor;
  readonly secrets: SecretStore;
  readonly log: CallLog;
  /** Takes the values of known secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Where `${env:}` and `${secret:}` come from. */
  readonly references: ReferenceSources;
  readonly onFault: (error: unknown) => void;
  readonly openHost: (role: HostRole) => Promise<Host>;
  /** Reads settings and agreements again and applies them to a host of this process. */
  readonly refresh: (host: Host) => Promise<void>;
}

/** A host that may be in another process. */
export interface SharedHost extends Host {
  /** Lets the program that has it read settings and agreements again. */
  refresh(): Promise<void>;
}

/** What a person agrees to here counts in the program that runs the servers before anything else is asked of it. */
export function sharedTrust(trust: Trust, host: SharedHost): Trust {
  return {
    ...trust,
    async agree(...entries) {
      await trust.agree(...entries);
      await host.refresh();
    },
    async agreeTo(...shown) {
      await trust.agreeTo(...shown);
      await host.refresh();
    },
    async revoke(...entries) {
      await trust.revoke(...entries);
      await host.refresh();
    },
  };
}

/** Checks parameters in this process, whichever runs the call. */
export function checkWith(guard: SchemaGuard | undefined, notifier: Notifier): Host['check'] {
  const checker = new ParameterChecker(guard, notifier);
  return async (...checked) => checker.check(...checked);
}

/** Looks for secrets that the own store lacks where the others keep theirs. */
export function askedReferences(
  references: ConnectorPorts['references'],
  askSecret: (name: string) => Promise<string | undefined>,
): ConnectorPorts['references'] {
  const { secrets } = references;
  const get = async (name: string) => (await secrets.get(name)) ?? (await askSecret(name));
  return { ...references, secrets: { ...secrets, get } };
}
