import { expect, test } from 'vitest';
import { commonFields } from './context-fields.ts';
import { proposeMappings } from './propose-mappings.ts';

const fields = [...commonFields, 'call.tool', 'mail.subject'];

test.each<[string, string | undefined, boolean]>([
  ['branch', 'branch', true],
  ['file_path', 'filePath', true],
  ['BRANCH', 'branch', true],
  ['subject', 'mail.subject', false],
  ['owner', 'repoOwner', false],
  ['repo', 'repoName', false],
  ['author', 'user', false],
  ['path', 'filePath', false],
  ['brnach', 'branch', false],
  ['channel', undefined, false],
  ['text', undefined, false],
  ['constructor', undefined, false],
])('proposes for %s: %s', (parameter, value, isExact) => {
  const proposed = proposeMappings({ properties: { [parameter]: {} } }, fields);
  const expected = { toolParam: parameter, source: 'context', value, isExact };
  expect(proposed).toEqual(value === undefined ? [] : [expected]);
});

test.each([undefined, null, {}, { properties: [] }, 'x'])(
  'takes %j for no parameters',
  (schema) => {
    expect(proposeMappings(schema, fields)).toEqual([]);
  },
);
