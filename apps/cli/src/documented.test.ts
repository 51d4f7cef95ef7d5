import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { errandProgram } from './errand.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/commands.md'), 'utf8');
const stream = new PassThrough();
const program = errandProgram({
  terminal: { stdin: stream, stdout: stream, stderr: stream, env: {}, cwd: '/', interrupt() {} },
  signal: AbortSignal.abort(),
  end() {},
});
const common = ['--json', '--vault', '--trust'];
const commands = program.commands
  .filter((command) => command.name() !== 'complete')
  .flatMap((command) => [command, ...command.commands])
  .map((command) => ({ name: nameOf(command), command }));

test.each(commands)('docs/commands.md describes $name and its options', ({ name, command }) => {
  const section = sectionOf(name);
  const options = command.options.flatMap(({ long }) => long ?? []);
  const unsaid = options.filter((option) => !common.includes(option) && !section.includes(option));
  expect(unsaid).toEqual([]);
});

test('docs/commands.md describes what every command takes', () => {
  expect(common.filter((option) => !sectionOf('every command').includes(option))).toEqual([]);
});

/** The text below a heading that begins with a command's name, up to the next heading. */
function sectionOf(name: string): string {
  const found = page
    .split(/^#+ /m)
    .find((section) => section.replaceAll('`', '').toLowerCase().startsWith(name));
  if (found === undefined) throw new Error(`docs/commands.md has no heading "${name}".`);
  return found;
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}
