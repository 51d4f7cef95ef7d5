export type ServerStatus = 'stopped' | 'starting' | 'running' | 'stopping' | 'error';
export type ServerEvent = 'start' | 'started' | 'stop' | 'stopped' | 'failed';

const moves: Readonly<Record<ServerStatus, Readonly<Partial<Record<ServerEvent, ServerStatus>>>>> =
  {
    stopped: { start: 'starting', failed: 'error' },
    starting: { started: 'running', stop: 'stopping', failed: 'error' },
    running: { stop: 'stopping', failed: 'error' },
    stopping: { stopped: 'stopped', failed: 'error' },
    error: { failed: 'error' },
  };

/** The status after an event; an event that has no place in a status is a mistake of the caller. */
export function nextStatus(status: ServerStatus, event: ServerEvent): ServerStatus {
  const next = moves[status][event];
  if (next === undefined) throw new Error(`A server that is ${status} has no event "${event}".`);
  return next;
}
