import { expect, test } from 'vitest';
import { connectToOwner } from './lease/connect-to-owner.ts';
import type { OpenServicesPorts, OwnerServices } from './owned-vault.ts';
import { openProgram } from './testing/shared-host.ts';
import { temporaryVault } from './testing/temporary-vault.ts';
import { visitOwner } from './visit-owner.ts';

const { signal } = new AbortController();
const request = { service: 'jobs', method: 'list', params: { limit: 1 } };

test('services run in the owner alone, answer every program, and move with the ownership', async () => {
  await using vault = await temporaryVault();
  const open: string[] = [];
  const servicesOf = (name: string) => ({
    openServices: ({ emit }: OpenServicesPorts): OwnerServices => {
      open.push(name);
      return {
        request: async (asked, ending) => {
          ending.throwIfAborted();
          emit({ service: 'jobs', event: { asked: asked.method } });
          return { by: name, asked };
        },
        [Symbol.asyncDispose]: async () => {
          // The lease is still held: no other program can run the same yet.
          expect((await connectToOwner(vault.lease, { signal })).status).not.toBe('nobody');
          open.splice(open.indexOf(name), 1);
        },
      };
    },
  });
  const first = await openProgram(vault, [], servicesOf('first'));
  await using second = await openProgram(vault, [], servicesOf('second'));
  await using command = await openProgram(vault, [], { program: 'command', owns: 'never' });
  expect(open).toEqual(['first']);
  const told: unknown[] = [];
  second.shared.serviceEvents.subscribe((event) => void told.push(event));
  const answer = { by: 'first', asked: request };
  expect(await first.shared.request(request)).toEqual({ value: answer });
  expect(await second.shared.request(request)).toEqual({ value: answer });
  expect(await command.shared.request(request)).toEqual({ value: answer });
  const visit = await visitOwner(vault.lease, { signal, request });
  expect(visit).toMatchObject({ status: 'answered', value: answer });
  await expect
    .poll(() => told)
    .toEqual(Array(4).fill({ service: 'jobs', event: { asked: 'list' } }));
  await first[Symbol.asyncDispose]();
  await expect.poll(() => second.shared.role).toBe('own');
  expect(open).toEqual(['second']);
  expect(await second.shared.request(request)).toEqual({ value: { by: 'second', asked: request } });
});

test('a program that runs alone has no services to ask', async () => {
  await using vault = await temporaryVault();
  await using command = await openProgram(vault, [], { program: 'command', owns: 'never' });
  expect(await command.shared.request(request)).toBeUndefined();
});
