import { scan } from '@errand/document';
import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { bindingChoices } from './binding-choices.ts';

const servers = [localServer('files'), localServer('off', { enabled: false })];

function choicesAt(text: string, line: number): readonly string[] {
  return bindingChoices(scan(text), { servers, brokenBindings: [] }, line).map(
    ({ label, detail }) => `${label}: ${detail}`,
  );
}

test('offers every server for the section, alone or with what is below it', () => {
  expect(choicesAt('# A\n\nText\n## B\n', 3)).toEqual([
    'files: # A and what is below it',
    'off (disabled): # A and what is below it',
    'files: only # A',
    'off (disabled): only # A',
  ]);
});

test('offers the whole note above the first heading, and unbinding what is bound', () => {
  const bound = '---\nmcp: {server: files}\n---\nText\n# A\n';
  expect(choicesAt(bound, 4)).toEqual([
    'files: the whole note',
    'off (disabled): the whole note',
    'Unbind: the whole note',
  ]);
  expect(choicesAt(bound, 5)).not.toContain('Unbind: # A');
});

test('offers a block with an id', () => {
  const text =
    '---\nmcp: {sections: [{block: own, server: files}]}\n---\n```files\ntool: t\n```\n^own\n';
  expect(choicesAt(text, 5)).toEqual([
    'files: the whole note',
    'off (disabled): the whole note',
    'files: only the block ^own',
    'off (disabled): only the block ^own',
    'Unbind: the block ^own',
  ]);
});
