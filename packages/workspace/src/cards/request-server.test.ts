import { findToolBlocks, scan } from '@errand/document';
import { localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { requestServer } from './request-server.ts';

test('calls a server disabled that a person or the host switched off', async () => {
  const servers = [localServer('used'), localServer('unused', { enabled: false })];
  await using memory = await memoryHost(servers);
  const { host } = memory;
  const isDisabled = (name: string) => {
    const note = scan(`\`\`\`${name}\ntool: read\n\`\`\`\n`);
    const [block] = findToolBlocks(note, host.servers.noteContext('note.md'));
    return block && requestServer(block, host).isDisabled;
  };
  expect(['used', 'unused'].map(isDisabled)).toEqual([false, true]);
  // Given up, and not stored yet.
  host.servers.progress = () => ({ phase: 'off', isRecovering: false, isGivenUp: true });
  expect(isDisabled('used')).toBe(true);
});

test('tells before a run that a block refers to an answer that is not there', async () => {
  await using memory = await memoryHost([localServer('used')]);
  const { host } = memory;
  const note = scan(
    '```used\ntool: read\n```\n^plan\n\n```used\ntool: read\npath: "{{ blocks.plan.path }}"\n```\n',
  );
  const [, block] = findToolBlocks(note, host.servers.noteContext('note.md'));
  const { mistakes = [] } = block === undefined ? {} : requestServer(block, host);
  expect(mistakes).toEqual([expect.objectContaining({ line: 8 })]);
  expect(mistakes[0]?.message).toContain('plan');
});
