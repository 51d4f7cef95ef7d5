import { expect, test } from 'vitest';
import { type HealthFacts, healthReport } from './health-report.ts';

const metrics = {
  memoryUsage: 100,
  memoryLimit: 1_000,
  activeSessions: 2,
  maxSessions: 10,
  errorRate: 0,
  uptime: 5,
};
const healthy: HealthFacts = {
  status: 'running',
  transports: [{ type: 'http', isActive: true }],
  tools: 3,
  metrics,
  own: {},
};

test('reports a server that does all it should', () => {
  expect(healthReport(healthy)).toEqual({
    status: 'healthy',
    components: {
      server: 'running',
      transports: { http: 'active' },
      tools: 3,
      memory: 'normal',
      sessions: 'available',
    },
    metrics,
    issues: [],
  });
});

test('warns at 80 % of the memory limit without calling it degraded', () => {
  const { status, components, issues } = healthReport({
    ...healthy,
    metrics: { ...metrics, memoryUsage: 800 },
  });
  expect({ status, memory: components.memory }).toEqual({ status: 'healthy', memory: 'warning' });
  expect(issues).toEqual(['800 of 1000 bytes of memory are used.']);
});

test.each<[string, Partial<HealthFacts>, string]>([
  [
    'memory is nearly used up',
    { metrics: { ...metrics, memoryUsage: 900 } },
    'new clients are refused',
  ],
  [
    'no place is left',
    { metrics: { ...metrics, activeSessions: 10 } },
    'All 10 sessions are taken',
  ],
  ['it stops', { status: 'stopping' }, 'The server is stopping.'],
  ['a transport is down', { transports: [{ type: 'sse', isActive: false }] }, 'sse does not work'],
  ['the server itself says so', { own: { issues: ['The index is stale.'] } }, 'index is stale'],
])('is degraded when %s', (_, facts, issue) => {
  const report = healthReport({ ...healthy, ...facts });
  expect(report.status).toBe('degraded');
  expect(report.issues).toEqual([expect.stringContaining(issue)]);
});

test('is healthy when the client on standard input has left', () => {
  const transports = [...healthy.transports, { type: 'stdio', isActive: false }];
  expect(healthReport({ ...healthy, transports }).status).toBe('healthy');
});
