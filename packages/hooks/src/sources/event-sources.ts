import type { EventSource } from '../hook-event.ts';
import { agentSource } from './agent-source.ts';
import { fileSource } from './file-source.ts';
import { gitSource } from './git-source.ts';
import { callSource, serverSource } from './host-sources.ts';
import { httpSource } from './http-source.ts';
import { scheduleSource } from './schedule-source.ts';
import type { SourcesPorts } from './sources-ports.ts';

/** All sources of events, by what they watch. */
export function eventSources(ports: SourcesPorts): Readonly<Record<string, EventSource>> {
  return {
    'agent-operation': agentSource(ports),
    call: callSource(ports),
    file: fileSource(ports),
    git: gitSource(ports),
    http: httpSource(ports),
    schedule: scheduleSource(ports),
    server: serverSource(ports),
    ...(ports.turns && { bridge: ports.turns }),
  };
}
