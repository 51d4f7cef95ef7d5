import { type NewServer, newServer } from '@errand/host';
import { expect, test } from 'vitest';
import { changeTools } from './tool-options.ts';

const entry = (tools?: NewServer['tools']) =>
  newServer(
    {
      name: 'a',
      transport: 'stdio',
      deploymentType: 'local',
      localConfig: { command: 'node' },
      ...(tools && { tools }),
    },
    'id',
  );

test.each([
  { given: {}, after: undefined },
  { given: { allowTool: ['read_*'] }, after: { allow: ['read_*'] } },
  {
    given: { allowTool: ['read_*'], denyTool: ['read_all'] },
    after: { allow: ['read_*'], deny: ['read_all'] },
  },
  { before: { deny: ['x'] }, given: { denyTool: ['y', 'x'] }, after: { deny: ['x', 'y'] } },
  { before: { allow: [] }, given: { allowTool: ['x'] }, after: { allow: ['x'] } },
  { before: { allow: ['x', 'y'] }, given: { unsetAllowTool: ['x'] }, after: { allow: ['y'] } },
  // An empty `allow` would forbid all tools.
  { before: { allow: ['x'] }, given: { unsetAllowTool: ['x'] }, after: undefined },
  {
    before: { allow: ['x'], deny: ['y'] },
    given: { unsetDenyTool: ['y'] },
    after: { allow: ['x'] },
  },
  {
    before: { allow: ['x'] },
    given: { unsetAllowTool: ['x'], allowTool: ['z'] },
    after: { allow: ['z'] },
  },
  { before: { allow: [] }, given: { denyTool: ['x'] }, after: { allow: [], deny: ['x'] } },
])('$before with $given becomes $after', ({ before, given, after }) => {
  expect(changeTools(entry(before), given)).toEqual(entry(after));
});

test.each([
  [undefined, { unsetDenyTool: ['x'] }, '"a" has no denied tool "x". It has none.'],
  [{ allow: ['y', 'z'] }, { unsetAllowTool: ['x'] }, '"a" has no allowed tool "x". It has: y, z.'],
])('says what cannot be removed', (before, given, message) => {
  expect(() => changeTools(entry(before), given)).toThrow(message);
});
