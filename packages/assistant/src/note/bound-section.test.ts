import { expect, test } from 'vitest';
import { forecast, noteTurn, openNote, textOf } from '../testing/note-turn.ts';
import { call, lastSent } from '../testing/turn-fixture.ts';

test('a bound section offers only its server’s tools, and the model can call no other', async () => {
  await using fixture = await openNote(
    '---\nmcp:\n  sections:\n    - heading: "# Weather"\n      server: weather\n---\n\n# Weather\n\n#User : q\n',
    { calls: [call('files__echo', { text: 'x' })] },
    { text: ['Well.'] },
  );
  await noteTurn(fixture);
  expect(fixture.model.requests[0]?.toolNames).toEqual(['weather__forecast']);
  expect(lastSent(fixture)).toContain('Tool not found: files__echo');
  expect(textOf(fixture)).toContain('*(There is no tool files__echo.)*');
});

test('a section whose binding is broken offers nothing, and says why', async () => {
  await using fixture = await openNote(
    '---\nmcp:\n  sections:\n    - heading: "# Weather"\n      server: whether\n---\n\n# Weather\n\n#User : q\n',
    { text: ['Well.'] },
  );
  await noteTurn(fixture);
  expect(fixture.model.requests[0]?.toolNames).toEqual([]);
  expect(fixture.events).toContainEqual({
    kind: 'notice-given',
    message: expect.stringContaining(
      'No server may be called here. Frontmatter line 4: There is no server',
    ),
  });
});

test('applies a binding written while the model is generating to its next call', async () => {
  await using fixture = await openNote(
    '# A\n\n#User : q\n',
    () => {
      fixture.notes.texts.set('Trip.md', `---\nmcp:\n  server: files\n---\n${textOf(fixture)}`);
      return { text: ['Hm.'], calls: [forecast] };
    },
    { text: ['Well.'] },
  );
  await noteTurn(fixture);
  expect(fixture.model.requests.map(({ toolNames }) => toolNames)).toEqual([
    ['weather__forecast', 'files__echo'],
    ['files__echo'],
  ]);
  expect(lastSent(fixture)).toContain(
    'This section is bound to files, so weather may not be called here.',
  );
});

test('finds a section that moved while the model was generating', async () => {
  const bindings =
    '---\nmcp:\n  sections:\n    - heading: "# A"\n      server: files\n    - heading: "# B"\n      server: weather\n---\n';
  await using fixture = await openNote(
    `${bindings}\n# A\n\n# B\n\n#User : q\n`,
    () => {
      const longer = textOf(fixture).replace('# A\n', `# A\n${'\nmore\n'.repeat(20)}`);
      fixture.notes.texts.set('Trip.md', longer);
      return { calls: [forecast] };
    },
    { text: ['Well.'] },
  );
  await noteTurn(fixture);
  expect(fixture.outcomes()).toMatchObject([{ status: 'success' }]);
  expect(fixture.model.requests[1]?.toolNames).toEqual(['weather__forecast']);
});

test('calls no tool of the former section when the question cannot be found again', async () => {
  const bindings = '---\nmcp:\n  sections:\n    - heading: "# B"\n      server: files\n---\n';
  await using fixture = await openNote(
    `${bindings}\n# A\n\n#User : q\n\n# B\n`,
    () => {
      // The question is another one now, in a section with other rules; its old line is in the first.
      fixture.notes.texts.set('Trip.md', `${bindings}\n# A\n\nwords\n\n# B\n\n#User : other\n`);
      return { calls: [forecast] };
    },
    { text: ['Well.'] },
  );
  const { end } = await noteTurn(fixture);
  expect(fixture.outcomes()).toEqual([]);
  expect(end).toMatchObject({ state: 'failed', code: 'note_changed' });
  expect(fixture.model.requests).toHaveLength(1);
});

test('applies a binding written while approval is pending', async () => {
  await using fixture = await openNote(
    '# A\n\n#User : q\n',
    { calls: [call('files__echo', { text: 'x' })] },
    { text: ['Well.'] },
  );
  const approve = async () => {
    fixture.notes.texts.set('Trip.md', `---\nmcp:\n  server: weather\n---\n${textOf(fixture)}`);
    return true;
  };
  await noteTurn(fixture, { approver: { approve } });
  expect(fixture.outcomes()).toMatchObject([
    { status: 'error', error: { code: 'section_forbids' } },
  ]);
  expect(lastSent(fixture)).toContain('files may not be called here');
});
