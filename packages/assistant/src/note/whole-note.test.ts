import type { AssistantConfig } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { describe, expect, test } from 'vitest';
import type { Script } from '../testing/model-server.ts';
import { noteTurn } from '../testing/note-turn.ts';
import { call, openTurnFixture, readTool } from '../testing/turn-fixture.ts';

const providers: readonly AssistantConfig['provider'][] = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
];

const soon = { headers: { 'retry-after': '0' } };
const begun = { text: ['One.\n\n```js\nlet'] };
const written = '\n\n#Claude : One.\n\n```js\nlet\n```';

/** What the model does, how the turn ends, and what then stands below the question. */
const ends: Readonly<Record<string, readonly [step: Script, state: string, below: string]>> = {
  'an answer': [begun, 'answered', written],
  'a refusal': [{ ...begun, stop: 'refusal' }, 'refused', written],
  'the longest answer': [
    { ...begun, stop: 'length' },
    'length',
    `${written}\n\n*(The answer reached its longest here.)*`,
  ],
  'a cut stream': [
    { ...begun, cut: 'lost' },
    'failed',
    `${written}\n\n*(The answer was cut off here.)*`,
  ],
  'a busy provider': [{ status: 429, message: 'Later.', ...soon }, 'failed', ''],
  'a failing provider': [{ status: 500, message: 'Oops.', ...soon }, 'failed', ''],
  'a wrong key': [{ status: 401, message: 'No.' }, 'failed', ''],
  'a call that goes in circles': [{ calls: [call('a__read')] }, 'repeated', ''],
};

describe.each(providers)('%s', (provider) => {
  test.each(Object.entries(ends))(
    '%s leaves the note whole',
    async (_what, [step, state, below]) => {
      const above = '---\ntags: [trip]\n---\n\n# Trip\n\n#User : How warm?';
      const rest = '\n\n# Rest\n\n```a\ntool: read\n```\n\n> mine\n';
      await using fixture = await openTurnFixture({
        provider,
        servers: [localServer('a')],
        behaviours: { a: { tools: [readTool('read')] } },
        settings: {
          assistants: [{ name: 'Claude', provider: 'google', model: 'm', key: `\${secret:key}` }],
        },
        notes: { 'Trip.md': `${above}${rest}` },
      });
      fixture.model.always(step);
      const { end, kept } = await noteTurn(fixture);
      expect(end).toMatchObject({ state });
      expect(end.message === null).toBe(state === 'answered');
      expect(kept).toBeNull();
      const after = fixture.notes.texts.get('Trip.md') ?? '';
      expect(after.startsWith(above)).toBe(true);
      expect(after.endsWith(rest)).toBe(true);
      if (state === 'repeated') expect(after.match(/^```mcp-result /gm)).toHaveLength(3);
      else expect(after).toBe(`${above}${below}${rest}`);
    },
  );
});
