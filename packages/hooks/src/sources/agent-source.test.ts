import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@errand/host';
import { ManualClock } from '@errand/host/testing';
import { expect, onTestFinished, test } from 'vitest';
import { AgentTurns } from '../bridge/agent-turns.ts';
import { agentOperations, type Trigger } from '../hook-schema.ts';
import { startSource } from '../testing/start-source.ts';
import { agentFileAt, endedOperation, readAgentText } from './agent-operations.ts';
import { agentSource } from './agent-source.ts';
import { ChainTracker } from './chain-tracker.ts';

const spec = '# Feature Specification: Albums\n\nText.\n';
const tasks = '# Tasks: Albums\n\n- [X] T001 One\n- [ ] T002 Two\n';

test.each([
  ['specs/012-albums/spec.md', 'speckit', 'specify', '012-albums', 'albums'],
  ['specs/012-albums/plan.md', 'speckit', 'plan', '012-albums', 'albums'],
  ['specs/012-albums/tasks.md', 'speckit', 'tasks', '012-albums', 'albums'],
  ['specs/012-albums/research.md', 'speckit', 'research', '012-albums', 'albums'],
  ['specs/012-albums/data-model.md', 'speckit', 'datamodel', '012-albums', 'albums'],
  ['specs/012-albums/checklists/ux.md', 'speckit', 'checklist', '012-albums', 'albums'],
  ['.specify/memory/constitution.md', 'speckit', 'constitution', undefined, undefined],
  ['openspec/changes/add-login/proposal.md', 'openspec', 'specify', 'add-login', 'add-login'],
  ['openspec/changes/add-login/design.md', 'openspec', 'design', 'add-login', 'add-login'],
  ['openspec/changes/add-login/tasks.md', 'openspec', 'tasks', 'add-login', 'add-login'],
  ['specs/albums/spec.md', undefined, undefined, undefined, undefined],
  ['specs/012-albums/quickstart.md', undefined, undefined, undefined, undefined],
  ['specs/012-albums/constructor.md', undefined, undefined, undefined, undefined],
  ['openspec/changes/archive/tasks.md', undefined, undefined, undefined, undefined],
  ['openspec/changes/archive/add-login/tasks.md', undefined, undefined, undefined, undefined],
])('recognises %s', (path, agent, operation, specId, feature) => {
  const file = agentFileAt(path);
  expect([file?.agent, file?.operation, file?.specId, file?.feature]).toEqual([
    agent,
    operation,
    specId,
    feature,
  ]);
});

test.each([
  ['spec', undefined, spec, 'specify'],
  ['spec', undefined, '# Feature Specification: [FEATURE NAME]\n', undefined],
  ['spec', '# Feature Specification: [FEATURE NAME]\n', spec, 'specify'],
  ['spec', spec, spec, undefined],
  [
    'spec',
    spec,
    `${spec}## Clarifications\n### Session 2026-11-16\n- Q: Why? → A: So.\n`,
    'clarify',
  ],
  ['spec', spec, `${spec}More.\n`, 'specify'],
  ['plan', undefined, '', undefined],
  ['tasks', undefined, tasks, 'tasks'],
  ['tasks', tasks, tasks.replace('[ ]', '[x]'), 'implementation'],
  ['tasks', tasks, tasks.replace('[X]', '[ ]'), undefined],
  ['tasks', tasks, `${tasks}- [ ] T003 Three\n`, 'tasks'],
  ['checklists/ux', tasks, tasks.replace('[ ]', '[x]'), undefined],
])('tells what ended when %s was %j and is %j', (name, before, after, operation) => {
  const file = agentFileAt(`specs/012-albums/${name}.md`);
  const known = before === undefined ? undefined : readAgentText(before);
  expect(file && endedOperation(file, known, readAgentText(after))).toBe(operation);
});

test('tells of an operation once its file stays as it is, with its chain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-agent-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('specs/012-albums/tasks.md', tasks);
  const clock = new ManualClock();
  const chains = new ChainTracker(clock);
  const all = agentOperations.map(
    (operation): Trigger => ({
      kind: 'agent-operation',
      agent: 'speckit',
      operation,
      timing: 'after',
    }),
  );
  const turns = new AgentTurns(clock);
  const started = await startSource(agentSource({ folder, clock, chains, turns }), ...all);
  onTestFinished(async () => {
    await started[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const chain = { id: 'chain-1', depth: 1, hooks: ['a'] };
  const action = chains.begin(chain);
  /** Everything that was written until now is told when the last file is. */
  const heard = async (count: number) => {
    const passing = async () => {
      await clock.advance(100);
      return started.events.length;
    };
    await expect.poll(passing, { timeout: 15_000, interval: 10 }).toBe(count);
    return started.events.map(({ fields }) => `${fields.operation} ${fields.filePath}`);
  };
  write('specs/012-albums/plan.md', '# Implementation Plan: [FEATURE]\n');
  write('openspec/changes/add-login/proposal.md', '# Why\n');
  await clock.advance(1_000);
  write('specs/012-albums/plan.md', '# Implementation Plan: Albums\n');
  for (let step = 0; step < 15; step += 1) {
    // The notice of the system takes a moment.
    await systemClock.sleep(10);
    await clock.advance(100);
  }
  expect(started.events).toEqual([]);
  write('specs/012-albums/plan.md', '# Implementation Plan: Albums\n\nWhole.\n');
  expect(await heard(1)).toEqual(['plan specs/012-albums/plan.md']);
  action[Symbol.dispose]();
  expect(started.events[0]).toMatchObject({
    kind: 'agent-operation',
    chain,
    fields: {
      agent: 'speckit',
      timing: 'after',
      specId: '012-albums',
      specPath: 'specs/012-albums',
      feature: 'albums',
      fileName: 'plan.md',
    },
  });
  await clock.advance(10_000);
  const turn = { agent: 'speckit', operation: 'constitution', program: 'codex' } as const;
  turns.begin({ ...turn, session: 's' });
  write('.specify/memory/constitution.md', '# Our Constitution\n');
  turns.end('s', { output: 'Done.', isAborted: false });
  expect((await heard(2)).at(-1)).toBe('constitution .specify/memory/constitution.md');
  // What the agent said goes with what its files tell.
  expect(started.events[1]?.fields).toMatchObject({
    agentOutput: 'Done.',
    bridge: { session: 's' },
  });
  write('specs/012-albums/tasks.md', tasks.replace('[ ]', '[X]'));
  expect((await heard(3)).at(-1)).toBe('implementation specs/012-albums/tasks.md');
  expect(started.events[2]?.chain).toBeUndefined();
  expect(started.faults).toEqual([]);
  await started.want({ ...all[0], timing: 'before' } as Trigger);
  expect(clock.sleepers).toBe(0);
});
