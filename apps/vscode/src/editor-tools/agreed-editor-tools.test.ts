import { expect, test } from 'vitest';
import { AgreedEditorTools } from './agreed-editor-tools.ts';

interface Asked {
  readonly tool: string;
  readonly signal: AbortSignal;
  readonly say: (word: boolean) => void;
}

/** A person who answers when told to, and tools that write down their calls. */
function person() {
  const asked: Asked[] = [];
  const ran: string[] = [];
  const kept = { word: false };
  const tools = new AgreedEditorTools(
    {
      list: () => [],
      async invoke(tool) {
        ran.push(tool);
        return [];
      },
    },
    {
      isGiven: () => kept.word,
      async give() {
        kept.word = true;
      },
    },
    (tool, signal) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      asked.push({ tool, signal, say: resolve });
      return promise;
    },
  );
  const call = (tool: string, signal = new AbortController().signal) =>
    tools.invoke(tool, {}, signal);
  return { asked, ran, kept, call };
}

test('asks before the first call, and keeps the agreement', async () => {
  const { asked, ran, kept, call } = person();
  const first = call('open');
  expect(asked).toMatchObject([{ tool: 'open' }]);
  expect(ran).toEqual([]);
  asked[0]?.say(true);
  await first;
  expect(kept.word).toBe(true);
  await call('close');
  expect(ran).toEqual(['open', 'close']);
  expect(asked).toHaveLength(1);
});

test('asks again once the agreement is taken back', async () => {
  const { asked, ran, kept, call } = person();
  kept.word = true;
  await call('open');
  kept.word = false;
  const second = call('open');
  asked[0]?.say(false);
  await expect(second).rejects.toThrow('was not run');
  expect(ran).toEqual(['open']);
});

test('refuses a call with what to do, and asks at the next one', async () => {
  const { asked, ran, kept, call } = person();
  const first = call('open');
  asked[0]?.say(false);
  await expect(first).rejects.toThrow(
    /"open" was not run: .* Run it again, and choose “Allow for This Vault”/,
  );
  const second = call('open');
  expect(asked).toHaveLength(2);
  expect(kept.word).toBe(false);
  asked[1]?.say(true);
  await second;
  expect(ran).toEqual(['open']);
});

test.each([true, false])('two calls share one question that is answered %s', async (word) => {
  const { asked, ran, call } = person();
  const both = Promise.allSettled([call('open'), call('close')]);
  expect(asked).toHaveLength(1);
  asked[0]?.say(word);
  const status = word ? 'fulfilled' : 'rejected';
  expect(await both).toMatchObject([{ status }, { status }]);
  expect(ran).toEqual(word ? ['open', 'close'] : []);
});

test('the question stays for the call that still waits, and goes with the last one', async () => {
  const { asked, ran, kept, call } = person();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = call('open', one.signal);
  const second = call('close', two.signal);
  one.abort(new Error('the deadline'));
  await expect(first).rejects.toThrow('the deadline');
  expect(asked[0]?.signal.aborted).toBe(false);
  two.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  expect(asked[0]?.signal.aborted).toBe(true);

  const third = call('save');
  expect(asked).toHaveLength(2);
  asked[0]?.say(true);
  await Promise.resolve();
  expect(kept.word).toBe(false);
  asked[1]?.say(true);
  await third;
  expect(ran).toEqual(['save']);
});

test('asks nothing for a call that has ended already', async () => {
  const { asked, call } = person();
  await expect(call('open', AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
    'cancelled',
  );
  expect(asked).toEqual([]);
});
