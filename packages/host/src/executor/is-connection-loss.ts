import type { HostError, HostErrorCode } from '../host-error.ts';

/** Servers are lost as processes, over the network, and in containers. */
const losses: ReadonlySet<HostErrorCode> = new Set([
  'server_unavailable',
  'container_exited',
  'docker_unavailable',
]);

/** Whether a call failed because its server was lost, so that it may have run and might be repeated (D4). */
export function isConnectionLoss({ code }: HostError): boolean {
  return losses.has(code);
}
