import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Contender, type Report, startContender } from '../testing/contender.ts';
import { temporaryVault } from '../testing/temporary-vault.ts';
import { connectToOwner } from './connect-to-owner.ts';
import { type LeaseFolder, ownerFile } from './lease-folder.ts';
import { takeLease } from './take-lease.ts';

const who = { program: 'test', version: '1.0.0', protocol: 1, since: 0 };

test('one of twenty programs that start at once owns the vault, ten times in a row', async () => {
  await using vault = await temporaryVault();
  await using programs = await startContenders(20);
  for (let round = 0; round < 10; round += 1) {
    const owner = await race(programs.all, vault.lease);
    // Half of the owners leave in order, half of them crash.
    if (round % 2 === 0) await owner.tell({ do: 'release', folder: vault.lease });
    else await programs.replace(owner);
  }
}, 180_000);

test('one of five programs takes over when the owner is killed, twenty times in a row', async () => {
  await using vault = await temporaryVault();
  await using programs = await startContenders(6);
  let owner = await race(programs.all, vault.lease);
  for (let round = 0; round < 20; round += 1) {
    // The others try while the owner dies.
    const [next] = await Promise.all([
      race(
        programs.all.filter((each) => each !== owner),
        vault.lease,
        owner.pid,
      ),
      programs.replace(owner),
    ]);
    owner = next;
  }
}, 180_000);

test('what a program leaves that is killed while it takes the lease stops nobody', async () => {
  await using vault = await temporaryVault();
  await using programs = await startContenders(4);
  for (let round = 0; round < 10; round += 1) {
    const [victim] = programs.all;
    if (victim === undefined) throw new Error('no program');
    const order = { do: 'join', folder: vault.lease } as const;
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    const trying = victim.tell(order).then(done, done);
    while (!isDone && !existsSync(`${ownerFile(vault.lease)}.lock`)) await immediate();
    await programs.replace(victim);
    await trying;
    const owner = await race(programs.all, vault.lease);
    await owner.tell({ do: 'release', folder: vault.lease });
  }
}, 180_000);

test('a stopped owner is seized by one of two, and knows it when it goes on', async () => {
  await using vault = await temporaryVault();
  const { lease: folder } = vault;
  await using programs = await startContenders(3);
  const [first, ...others] = programs.all;
  if (first === undefined) throw new Error('no program');
  const { owns: from } = await first.tell({ do: 'join', folder });
  if (from === undefined) throw new Error('nobody owns the vault');
  first.signal('SIGSTOP');
  const contact = await connectToOwner(folder, { patience: 200 });
  expect(contact).toEqual({ status: 'silent', owner: from });
  expect(await takeLease(folder, who)).toEqual({ heldBy: from });

  const late = connect(from.socket);
  await once(late, 'connect', { signal: AbortSignal.timeout(10_000) });

  const reports = await Promise.all(others.map((each) => each.tell({ do: 'seize', from, folder })));
  const [winner, ...second] = reports.flatMap(({ owns }) => owns ?? []);
  expect(second).toEqual([]);
  expect(reports).toContainEqual({ attachedTo: winner });
  expect(existsSync(from.socket)).toBe(false);

  first.signal('SIGCONT');
  expect(await first.tell({ do: 'ask', folder })).toEqual({});
  // Whoever waited for it to go on is not greeted any more.
  expect(await text(late)).toBe('');
  expect(await first.tell({ do: 'join', folder })).toEqual({ attachedTo: winner });
}, 60_000);

/** Lets all join at once and gives the one that owns the vault, when all agree which one that is. */
async function race(
  contenders: readonly Contender[],
  folder: LeaseFolder,
  dying?: number,
): Promise<Contender> {
  const join = () => Promise.all(contenders.map((each) => each.tell({ do: 'join', folder })));
  let reports = await join();
  // Whoever attached to the owner before it died joins again when it sees the connection end.
  while (reports.some(({ attachedTo }) => dying !== undefined && attachedTo?.pid === dying)) {
    const again = await Promise.all(
      reports.map((report, index) =>
        report.owns === undefined ? contenders[index]?.tell({ do: 'join', folder }) : report,
      ),
    );
    reports = again.flatMap((report) => report ?? []);
  }
  const nonces = new Set(reports.map(({ owns, attachedTo }) => (owns ?? attachedTo)?.nonce));
  expect(reports.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect([...nonces]).toEqual([expect.any(String)]);
  expect(reports.filter(({ owns }) => owns)).toHaveLength(1);
  const held = await Promise.all(contenders.map((each) => each.tell({ do: 'ask', folder })));
  expect(held.map(isOwner)).toEqual(reports.map(isOwner));
  const owner = contenders[reports.findIndex(isOwner)];
  if (owner === undefined) throw new Error('nobody owns the vault');
  return owner;
}

function isOwner({ owns }: Report): boolean {
  return owns !== undefined;
}

async function startContenders(count: number) {
  const all = await Promise.all(Array.from({ length: count }, () => startContender()));
  return {
    all,
    /** Kills one and starts another in its place. */
    async replace(contender: Contender): Promise<void> {
      const index = all.indexOf(contender);
      await contender.kill();
      all[index] = await startContender();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((each) => each.kill()));
    },
  };
}
