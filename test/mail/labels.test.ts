import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailPlace } from './mail-place.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
});
beforeEach(() => place.reset());
afterAll(() => place[Symbol.asyncDispose]());

const yesterday = new Date(Date.now() - 86_400_000).toUTCString();

/** The ids of the mails that carry the label. */
async function labelled(): Promise<readonly string[]> {
  const path = 'messages?maxResults=500&q=label:AI_PROCESSED';
  const { messages = [] } = await place.gmail<{ messages?: { id: string }[] }>('GET', path);
  return messages.map(({ id }) => id).toSorted();
}

async function deliverMany(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push(await place.deliver(`archive ${at}`, 'Hello', [`From: a${at}@example.org`]));
  return ids.toSorted();
}

test('the mails of a round are labelled in one request', async () => {
  const ids = await deliverMany(30);
  const before = place.proxy.requests.length;
  await place.round();
  expect(await labelled()).toEqual(ids);
  const labelling = place.proxy.requests
    .slice(before)
    .filter(({ path }) => /modify$/i.test(path))
    .map(({ path }) => path.split('/').at(-1));
  expect(labelling).toEqual(['batchModify']);
});

test('a mail that cannot be fetched yet is labelled once it is a note', async () => {
  const first = await place.deliver('archive one', 'Hello', [`Date: ${yesterday}`]);
  const second = await place.deliver('archive two');
  // A refusal, which does not count against Gmail as a whole as a fault would.
  const broken = { kind: 'answer', status: 403, body: '{}' } as const;
  void place.proxy.fault({ method: 'GET', path: new RegExp(`${first}$`), times: 20 }, broken);
  await place.room.run();
  await expect.poll(() => place.notes('Done'), { timeout: 30_000 }).toHaveLength(1);
  expect(await labelled()).not.toContain(first);
  place.proxy.heal();
  await place.room.idle(AbortSignal.timeout(60_000));
  expect(place.notes('Done')).toHaveLength(2);
  expect(await labelled()).toEqual([first, second].toSorted());
});

test('mails whose label was taken away hide no others, are labelled again, and are decided once', async () => {
  const known = await deliverMany(60);
  await place.round();
  const { labels } = await place.gmail<{ labels: { id: string; name: string }[] }>('GET', 'labels');
  const label = labels.find(({ name }) => name === 'AI_PROCESSED')?.id;
  // Older than the others, so that a search of the newest 50 does not find it.
  await place.stop();
  await place.gmail('DELETE', `labels/${label}`);
  const late = await place.deliver('archive late', 'Hello', [`Date: ${yesterday}`]);
  const asked = place.model.requests.length;
  await place.start();
  await place.round();
  expect(place.notes('Done')).toHaveLength(61);
  expect(place.model.requests.length - asked).toBe(1);
  expect(await labelled()).toEqual([...known, late].toSorted());
});
