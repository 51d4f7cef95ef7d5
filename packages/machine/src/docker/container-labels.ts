import { formatHostIdentity, type HostIdentity, parseHostIdentity } from './host-identity.ts';

/** The label that every container of ours carries. */
export const hostLabel = 'errand.host';
const instanceLabel = 'errand.instance';

type Labels = Readonly<Record<string, string>>;

/** What is written on a container, so that its host, or a later one, knows it again. */
export function containerLabels(
  host: HostIdentity,
  { vaultFolder, server }: { vaultFolder: string; server: string },
): Labels {
  return {
    'errand.vault': vaultFolder,
    'errand.server': server,
    [hostLabel]: formatHostIdentity(host),
    ...(host.instance !== undefined && { [instanceLabel]: host.instance }),
  };
}

/** The host that a container belongs to; undefined when it is not ours. */
export function ownerOf(labels: Labels | null | undefined): HostIdentity | undefined {
  const host = parseHostIdentity(labels?.[hostLabel]);
  return host && { ...host, instance: labels?.[instanceLabel] };
}
