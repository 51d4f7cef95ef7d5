import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findConversations, findToolBlocks, scan, turnParts } from '@errand/document';
import { readSettings } from '@errand/host';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../docs/assistant.md'), 'utf8');
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);

test.each(examples)('the settings in docs/assistant.md can be used: %s', (text) => {
  const { assistants, problems } = readSettings(text, 'settings.json');
  expect(problems).toEqual([]);
  expect(assistants).toHaveLength(1);
});

test('the conversation in docs/assistant.md is one', () => {
  const [, indented = ''] = /\n( {4}#User :[\s\S]*?)\n\n- /.exec(page) ?? [];
  const note = scan(indented.replace(/^ {4}/gm, ''));
  const weather = { id: 'weather', name: 'weather', enabled: true, sectionBindings: [] };
  const [conversation] = findConversations(note, ['Claude']);
  const answer = conversation?.turns[1];
  expect(conversation?.turns[0]?.text).toBe('How warm will it be in London?');
  expect(
    answer &&
      turnParts(note, answer, findToolBlocks(note, { servers: [weather], brokenBindings: [] })),
  ).toEqual([
    { kind: 'text', text: 'I look.' },
    expect.objectContaining({ kind: 'call', tool: 'get_forecast', answer: '12 °C' }),
    { kind: 'text', text: 'It will be 12 °C. Take a coat.' },
  ]);
});
