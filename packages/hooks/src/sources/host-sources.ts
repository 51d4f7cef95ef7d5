import { randomUUID } from 'node:crypto';
import { catchFaults, type HostEvent } from '@errand/host';
import { chainIdOf } from '../hook-chain.ts';
import type { EventSource, HookEvent, SourcePorts } from '../hook-event.ts';
import type { TriggerKind } from '../hook-schema.ts';
import type { SourcesPorts } from './sources-ports.ts';

type HostSourcesPorts = Pick<SourcesPorts, 'host' | 'clock' | 'chains'>;

/** Tells of every tool call that ended. Parameters and answers stay out: they may hold secrets, and be large. */
export function callSource(ports: HostSourcesPorts): EventSource {
  return hostSource('call', ports, () => (event) => {
    if (event.kind !== 'call-finished') return undefined;
    const { request, outcome } = event;
    const { serverId, sessionId } = request;
    const chainId = chainIdOf(sessionId);
    const chain = chainId === undefined ? undefined : ports.chains.byId(chainId);
    return {
      id: `call:${request.id}`,
      fields: {
        call: {
          id: request.id,
          server: nameOf(ports, serverId),
          serverId,
          tool: request.toolName,
          status: outcome.status,
          source: request.source,
          durationMs: outcome.durationMs,
          attempts: outcome.attempts,
          ...(request.documentPath !== undefined && { documentPath: request.documentPath }),
          ...(outcome.status !== 'success' && {
            error: { code: outcome.error.code, message: outcome.error.message },
          }),
        },
      },
      ...(chain && { chain }),
    };
  });
}

/** Tells of servers that were connected, lost, or switched off after repeated failures. */
export function serverSource(ports: HostSourcesPorts): EventSource {
  return hostSource('server', ports, () => {
    const snapshots = ports.host.servers.snapshots();
    const off = new Set(snapshots.filter((one) => one.autoDisabled).map((one) => one.config.id));
    const told = (event: string, serverId: string, reason?: object) => ({
      id: `server:${randomUUID()}`,
      fields: {
        server: { event, id: serverId, name: nameOf(ports, serverId), ...(reason && { reason }) },
      },
    });
    return (event) => {
      switch (event.kind) {
        case 'server-connected':
          return told('connected', event.serverId);
        case 'server-lost':
          return told('lost', event.serverId);
        case 'server-changed': {
          const { config, autoDisabled, reason } = event.snapshot;
          if (!autoDisabled) off.delete(config.id);
          if (!autoDisabled || off.has(config.id)) return undefined;
          off.add(config.id);
          return told(
            'auto-disabled',
            config.id,
            reason && { code: reason.code, message: reason.message },
          );
        }
        default:
          return undefined;
      }
    };
  });
}

type Reader = (event: HostEvent) => Pick<HookEvent, 'id' | 'fields' | 'chain'> | undefined;

/** A source that listens to the host while a trigger of its kind is wanted. */
function hostSource(kind: TriggerKind, ports: HostSourcesPorts, open: () => Reader): EventSource {
  return {
    async start({ wanted, emit, onFault }: SourcePorts) {
      let stop: (() => void) | undefined;
      const refresh = () => {
        const isWanted = wanted().some(({ trigger }) => trigger.kind === kind);
        if (isWanted === (stop !== undefined)) return;
        stop?.();
        stop = isWanted ? listen() : undefined;
      };
      const listen = () => {
        const read = open();
        return ports.host.events.subscribe(
          catchFaults((event: HostEvent) => {
            const found = read(event);
            return found && emit({ ...found, kind, at: ports.clock.now() });
          }, onFault),
        );
      };
      refresh();
      return {
        refresh: catchFaults(refresh, onFault),
        async [Symbol.asyncDispose]() {
          stop?.();
          stop = undefined;
        },
      };
    },
  };
}

function nameOf({ host }: HostSourcesPorts, serverId: string): string {
  return host.servers.find(serverId)?.name ?? serverId;
}
