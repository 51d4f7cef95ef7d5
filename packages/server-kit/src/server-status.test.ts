import { expect, test } from 'vitest';
import { nextStatus, type ServerEvent, type ServerStatus } from './server-status.ts';

const statuses = ['stopped', 'starting', 'running', 'stopping', 'error'] as const;
const events = ['start', 'started', 'stop', 'stopped', 'failed'] as const;

const allowed: Readonly<Record<string, ServerStatus>> = {
  'stopped start': 'starting',
  'starting started': 'running',
  'starting stop': 'stopping',
  'running stop': 'stopping',
  'stopping stopped': 'stopped',
};

const every = statuses.flatMap((status) =>
  events.map((event): [ServerStatus, ServerEvent] => [status, event]),
);

test.each(every)('a server that is %s answers the event %s', (status, event) => {
  const next = event === 'failed' ? 'error' : allowed[`${status} ${event}`];
  if (next === undefined) expect(() => nextStatus(status, event)).toThrow(status);
  else expect(nextStatus(status, event)).toBe(next);
});
