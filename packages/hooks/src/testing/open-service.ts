import { AgentTurns } from '../bridge/agent-turns.ts';
import { HooksService } from '../engine/hooks-service.ts';
import type { Hook } from '../hook-schema.ts';
import { openTestEngine } from './open-engine.ts';

const { signal } = new AbortController();

type Opened = Parameters<typeof openTestEngine>;

/** What programs ask of hooks, over an engine in memory. */
export async function openTestService(
  hooks: Opened[0],
  options?: Opened[1],
  isBridged = async () => true,
) {
  const made = await openTestEngine(hooks, options);
  const agreed: string[] = [];
  const trust = {
    ...made.ports.trust,
    agree: async (all: readonly Hook[]) => void agreed.push(...all.map(({ name }) => name)),
    revoke: async (all: readonly Hook[]) => void agreed.push(...all.map(({ name }) => `-${name}`)),
  };
  const service = new HooksService({
    ...made.ports,
    trust,
    engine: made.engine,
    host: noServers,
    turns: new AgentTurns(made.clock),
    isBridged,
    redact: (text) => text.replaceAll('abc', '***'),
  });
  const ask = (method: string, params: object = {}) => service.answer(method, params, signal);
  return { ...made, ask, agreed, service };
}

const noServers = {
  servers: {
    settings: { mcpServers: [], assistants: [{ name: 'Claude' }] },
    lastTools: () => undefined,
    snapshots: () => [],
  },
  events: { subscribe: () => () => undefined },
} as never;

/** The beginning of an operation that an agent waits for. */
export const beforePlan = {
  kind: 'agent-operation',
  agent: 'speckit',
  operation: 'plan',
  timing: 'before',
  waitForCompletion: true,
};
