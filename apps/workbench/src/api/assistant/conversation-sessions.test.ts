import { expect, test } from 'vitest';
import type { ActivitySnapshot, Conversation } from '../../contract.ts';
import { ask, ended, free, statusOf } from '../testing/ask-assistant.ts';
import { assistantVault } from '../testing/assistant-vault.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test.each([
  ['of its own', free],
  ['beside a note', { note: 'Trip.md', isKept: false }],
  ['in a note', { note: 'Trip.md', isKept: true }],
])(
  'the session limit counts over the turns of a conversation %s, until it is reset',
  async (_, place) => {
    const turn = (text: string) => [
      { calls: [{ name: 'scripted__echo', arguments: { text } }] },
      { text: ['Done.'] },
    ];
    await using scripted = await assistantVault(['a', 'b', 'c', 'd'].flatMap(turn), {
      'Trip.md': '# Trip\n',
    });
    const { vault } = scripted;
    const settings = { ...vault.settings, mcpSessionLimit: 2 };
    await using workbench = await openTestWorkbench({ ...vault, settings });
    const page = await workbench.open();
    using events = await page.follow();
    const statuses = async (question: string) => {
      const { turn, conversation } = await ask(page, question, place);
      await ended(events, turn);
      const { note, isKept } = place;
      const query = note === null ? '' : `?note=${note}${isKept ? '&kept=1' : ''}`;
      const { id, turns } = await page.get<Conversation>(`/assistant/conversation${query}`);
      expect(id).toBe(conversation);
      return turns.at(-1)?.parts.flatMap((part) => statusOf(part) ?? []);
    };
    expect(await statuses('One?')).toEqual(['success']);
    expect(await statuses('Two?')).toEqual(['success']);
    expect(await statuses('Three?')).toEqual(['error']);
    const { sessions } = await page.get<ActivitySnapshot>('/calls');
    expect(sessions).toMatchObject([
      { note: place.note, conversation: 'One?', executed: 2, level: 'reached' },
    ]);
    await page.send('POST', '/sessions/reset', { id: sessions[0]?.id });
    expect(await statuses('Four?')).toEqual(['success']);
    await page.send('POST', '/assistant/new', place);
    const left = (await page.get<ActivitySnapshot>('/calls')).sessions;
    expect(left).toHaveLength(place.isKept ? 1 : 0);
  },
);
