import { expect, test } from 'vitest';
import { resultContent } from './result-content.ts';

test.each([
  ['image/png', 'png'],
  ['IMAGE/PNG; q=1', 'png'],
  ['../../evil', 'bin'],
  ['constructor', 'bin'],
  ['__proto__', 'bin'],
])('a file of the type %s ends in .%s', async (mimeType, extension) => {
  const attachment = { mimeType, data: 'AAAA' };
  const result = { content: '', contentType: 'text', executionDuration: 1 } as const;
  const saved: string[] = [];
  const store = {
    save: async (_bytes: Uint8Array, extension: string) => {
      saved.push(extension);
      return `file.${extension}`;
    },
  };
  await resultContent(
    { ...result, raw: { content: [] }, attachments: [attachment] },
    undefined,
    store,
  );
  expect(saved).toEqual([extension]);
});
