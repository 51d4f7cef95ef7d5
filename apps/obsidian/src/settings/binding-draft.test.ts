import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { checkBinding, describeBinding, emptyBinding } from './binding-draft.ts';

const server = localServer('notes');
const heading = { ...emptyBinding, headingText: '## Tools' };

test('turns a valid form into a binding of its server, with a description', () => {
  const { binding } = checkBinding({ ...heading, documentPath: 'Projects/**' }, server);
  expect(binding).toEqual({
    sectionType: 'heading',
    headingText: '## Tools',
    serverId: server.id,
    inheritToChildren: true,
    documentPath: 'Projects/**',
  });
  expect(binding && describeBinding(binding)).toBe(
    'Heading "## Tools" and below it, in Projects/**',
  );
});

test.each([
  ['no heading', { headingText: '' }, 'headingText'],
  ['no block', { sectionType: 'block' as const }, 'blockId'],
  ['no lines', { sectionType: 'range' as const }, 'startLine'],
  ['lines in words', { sectionType: 'range' as const, startLine: 'a', endLine: '3' }, 'startLine'],
  ['lines backwards', { sectionType: 'range' as const, startLine: '9', endLine: '3' }, 'endLine'],
])('says at its field what is wrong: %s', (_, change, field) => {
  const { mistakes = {} } = checkBinding({ ...heading, ...change }, server);
  expect(Object.keys(mistakes)).toEqual([field]);
});
