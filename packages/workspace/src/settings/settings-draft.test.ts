import { expect, test } from 'vitest';
import { readDraft, type SettingsValues, textOf, withoutSame } from './settings-draft.ts';

const values: SettingsValues = {
  mcpGlobalTimeout: 30_000,
  mcpConcurrentLimit: 25,
  mcpSessionLimit: -1,
  connect: 'at-start',
  onError: 'replace',
  attachmentsFolder: 'Attachments/errand',
  logParameters: false,
  logDays: 30,
  logMegabytes: 100,
};

test('converts typed values to stored ones: seconds, numbers, words, booleans', () => {
  expect(
    readDraft({
      mcpGlobalTimeout: '1.5',
      mcpSessionLimit: '-1',
      onError: 'keep',
      attachmentsFolder: ' Files ',
      logParameters: 'true',
      logDays: '7',
    }),
  ).toEqual({
    change: {
      mcpGlobalTimeout: 1_500,
      mcpSessionLimit: -1,
      onError: 'keep',
      attachmentsFolder: 'Files',
      logParameters: true,
      logDays: 7,
    },
    errors: {},
  });
});

test.each([
  ['mcpGlobalTimeout', ''],
  ['mcpGlobalTimeout', '0.5'],
  ['mcpGlobalTimeout', '301'],
  ['mcpGlobalTimeout', 'soon'],
  ['logDays', ''],
  ['logDays', '1.5'],
  ['mcpSessionLimit', 'many'],
])('%s: %j is explained at its field', (name, text) => {
  const { change, errors } = readDraft({ [name]: text });
  expect(change).toEqual({});
  expect(errors).toEqual({ [name]: expect.stringMatching(/^Use a /) });
});

test('detects no change when the stored value is typed again', () => {
  expect(textOf('mcpGlobalTimeout', values.mcpGlobalTimeout)).toBe('30');
  const draft = { mcpGlobalTimeout: '30', logDays: '31', logParameters: 'false' };
  expect(withoutSame(draft, values)).toEqual({ logDays: '31' });
});
