import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '@errand/assistant/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serverPids } from './kill-servers.ts';
import { MailPlace } from './mail-place.ts';
import { answerBySubject } from './mail-servers.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
});
beforeEach(() => place.reset());
afterAll(() => place[Symbol.asyncDispose]());

/** A person moves every draft. */
function approveByHand(): void {
  mkdirSync(join(place.folder, 'Approved'), { recursive: true });
  for (const name of place.notes('Drafts'))
    renameSync(join(place.folder, 'Drafts', name), join(place.folder, 'Approved', name));
}

test('a model that is slower than its limit is hung up on and asked again, and other mail leaves meanwhile', async () => {
  await place.deliver('reply one');
  await place.round();
  approveByHand();
  const hold = new Promise<never>(() => {});
  place.model.always({ text: ['{"decision":', '"archive"}'], hold });
  place.mail = { ...place.mail, modelSeconds: 0.2 };
  const hungUp = place.model.hungUp();
  const before = place.model.requests.length;
  await place.deliver('reply two');
  await place.room.run();
  await hungUp;
  await expect.poll(() => place.model.requests.length - before).toBeGreaterThan(4);
  await expect.poll(async () => (await place.sent()).length).toBe(1);
  await expect.poll(() => place.notes('Done')).toHaveLength(2);
  expect(place.text(place.only('Needs_Action'))).toMatch(/^status: pending$/m);
  expect(place.notes('Drafts')).toEqual([]);
  place.model.always(answerBySubject);
  await expect.poll(() => place.notes('Drafts')).toHaveLength(1);
});

test('mails whose model never answers take no place from others, are tried again, and are left when a person puts them away', async () => {
  const answerOthers: Script = (request) =>
    JSON.stringify(request.body).includes('broken')
      ? { status: 500, message: 'Broken.' }
      : answerBySubject(request);
  place.model.always(answerOthers);
  const asked = () =>
    place.model.requests.filter(({ body }) => JSON.stringify(body).includes('broken')).length;
  const before = asked();
  // More than are worked on at once.
  for (let at = 0; at < 6; at += 1) await place.deliver(`broken ${at}`);
  await place.room.run();
  await expect.poll(() => asked() - before, { timeout: 30_000 }).toBeGreaterThan(12);
  for (let at = 0; at < 3; at += 1) await place.deliver(`archive ${at}`);
  await place.room.run();
  await expect.poll(() => place.notes('Done'), { timeout: 30_000 }).toHaveLength(3);
  expect(place.notes('Needs_Action')).toHaveLength(6);
  // A round meanwhile begins nothing anew.
  await place.room.settle();
  for (const name of place.notes('Needs_Action'))
    expect(place.text(`Needs_Action/${name}`)).not.toContain('retries:');
  const [away = '', ...others] = place.notes('Needs_Action');
  renameSync(join(place.folder, 'Needs_Action', away), join(place.folder, 'Done', away));
  place.model.always(answerBySubject);
  await place.room.idle(AbortSignal.timeout(60_000));
  expect(place.notes('Needs_Action')).toEqual(others);
  for (const name of others)
    expect(place.text(`Needs_Action/${name}`)).toMatch(/^status: needs_info$/m);
  expect(place.text(`Done/${away}`)).not.toMatch(/^decision:/m);
});

test('a mail that is deleted, moved out of the vault or broken while the model does not answer does not come again', async () => {
  place.model.always({ status: 500, message: 'Broken.' });
  for (const word of ['deleted', 'moved', 'broken']) await place.deliver(`reply ${word}`);
  await place.room.run();
  await expect.poll(() => place.notes('Needs_Action'), { timeout: 30_000 }).toHaveLength(3);
  const asked = place.model.requests.length;
  await expect
    .poll(() => place.model.requests.length - asked, { timeout: 30_000 })
    .toBeGreaterThan(3);
  const noteOf = (word: string) =>
    `Needs_Action/${place.notes('Needs_Action').find((name) => name.includes(word))}`;
  rmSync(join(place.folder, noteOf('deleted')));
  renameSync(join(place.folder, noteOf('moved')), join(place.home, 'moved.md'));
  const whole = place.text(noteOf('broken'));
  place.write(noteOf('broken'), whole.replace('---\n', '---\nto: [never closed\n'));
  await place.room.idle(AbortSignal.timeout(30_000));
  await place.room.run();
  expect(place.notes('Needs_Action')).toHaveLength(1);
  // Once it is mended it is decided about.
  place.model.always(answerBySubject);
  place.write(noteOf('broken'), whole);
  await place.round();
  expect(place.notes('Drafts')).toHaveLength(1);
});

test.each([
  ['refuses', { text: [], stop: 'refusal' }],
  ['stops in the middle', { text: ['{"decision": "archive", "conf'], stop: 'length' }],
  ['is cut off', { text: ['{"decision": "archive", "conf'], cut: 'lost' }],
] as const)(
  'a model that %s decides nothing, and the mail is a person’s or is asked about again',
  async (_, reply) => {
    place.model.always(reply);
    await place.deliver('reply one');
    const before = place.model.requests.length;
    await place.room.run();
    const status = () => /^status: (.*)$/m.exec(place.text(place.only('Needs_Action')))?.[1];
    await expect
      .poll(() => status() === 'failed' || place.model.requests.length - before > 9)
      .toBe(true);
    expect(place.notes('Drafts')).toEqual([]);
    expect(place.notes('Done')).toEqual([]);
    expect(place.text(place.only('Needs_Action'))).toMatch(/^status: (?:pending|failed)$/m);
    place.model.always(answerBySubject);
    if (status() === 'failed') await place.ask('retry', { id: place.only('Needs_Action') });
    await expect.poll(() => place.notes('Drafts')).toHaveLength(1);
  },
);

test('Gmail down for an hour: nothing is fetched or sent, a person is told once, and then everything comes and leaves once', async () => {
  await place.deliver('reply one');
  await place.round();
  approveByHand();
  await place.deliver('reply two');
  void place.proxy.fault({ path: /gmail/, times: 1_000 }, { kind: 'answer', status: 503 });
  const told = () => place.notices.filter(({ level }) => level !== 'info').length;
  for (let minutes = 0; minutes < 60; minutes += 15) {
    await place.ask('run', {});
    await place.room.idle(AbortSignal.timeout(30_000));
    expect((await place.ask('board', {})).state).toBe('unreachable');
    place.ahead += 15 * 60_000;
  }
  expect(told()).toBe(1);
  expect(await place.sent()).toEqual([]);
  expect(place.notes('Needs_Action')).toHaveLength(1);
  expect(place.text(place.only('Approved'))).toMatch(/^send_attempts: [2-4]$/m);
  place.proxy.heal();
  place.letTimePass();
  place.ahead += 3_600_000;
  // The mail server leaves Gmail alone for a while by its own clock; another one does not know of it.
  for (const pid of serverPids('gmail')) process.kill(pid, 'SIGKILL');
  await expect
    .poll(async () => {
      await place.round();
      return (await place.ask('board', {})).state;
    })
    .toBe('running');
  place.ahead += 3_600_000;
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  expect(place.notes('Needs_Action')).toHaveLength(1);
  expect(place.notes('Drafts')).toHaveLength(1);
});

test('a vault server that stands still for longer than a call may take is written around, and what it does late changes nothing', async () => {
  await place.deliver('reply warm');
  await place.round();
  approveByHand();
  await place.round();
  place.vaultTimeoutMs = 500;
  await place.restart();
  const [pid = 0, ...others] = serverPids('vault');
  expect(others).toEqual([]);
  process.kill(pid, 'SIGSTOP');
  try {
    for (const word of ['reply', 'archive', 'delegate']) await place.deliver(`${word} slow`);
    await place.round();
    expect(place.notes('Drafts')).toHaveLength(1);
    approveByHand();
    await place.round();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const notes = () =>
    ['Needs_Action', 'Drafts', 'Approved', 'Done'].flatMap((folder) =>
      place.notes(folder).map((name) => [`${folder}/${name}`, place.text(`${folder}/${name}`)]),
    );
  const before = notes();
  expect(before).toHaveLength(6);
  // It answers after everything that it was told before.
  await place.host.host.execute({
    id: 'late',
    serverId: 'id-vault',
    toolName: 'health_check',
    parameters: {},
    source: 'mail',
    sessionId: 'late',
    timeout: 30_000,
  });
  await place.round();
  expect(notes()).toEqual(before);
  expect(await place.sent()).toHaveLength(2);
});
