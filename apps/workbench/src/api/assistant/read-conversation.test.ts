import { expect, test } from 'vitest';
import { readConversation } from './read-conversation.ts';

const context = {
  assistants: ['Claude'],
  servers: [{ id: 'box', name: 'box', enabled: true, sectionBindings: [] }],
  brokenBindings: [],
};

test('JSON that stands in a note stays JSON, also when its rest is in a file', () => {
  const answer = (payload: string) =>
    `#User :\nWhat is there?\n\n#Claude :\n\`\`\`box\ntool: list\n\`\`\`\n\n\`\`\`mcp-result req=1 sum=2 type=json\n${payload}\n\`\`\`\n\nThat.\n`;
  const contentOf = (payload: string) => {
    const { turns } = readConversation(answer(payload), context, null);
    const [call] = turns.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'call');
    return call?.kind === 'call' ? call.call.content : undefined;
  };
  expect(contentOf('{"a": 1}')).toMatchObject({ type: 'json', text: '{"a": 1}' });
  const cut = contentOf('{\n  "items": [\n    1,\n    2,\n… all of it (9 lines, 90 bytes): a.json');
  expect(cut).toMatchObject({
    type: 'json',
    files: [{ path: 'a.json', label: 'all of it (9 lines, 90 bytes)' }],
  });
  expect(JSON.parse(cut?.text ?? '')).toEqual({ items: [1, 2] });
});
