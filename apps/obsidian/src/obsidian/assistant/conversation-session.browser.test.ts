import { expect, test } from 'vitest';
import { AskVault } from '../../testing/ask-vault.ts';

test('a conversation keeps to the session limit over its turns, under any name of the note, until it is reset', async () => {
  const turn = (text: string, end: string) => [
    { calls: [{ name: 'scripted__echo', arguments: { text } }] },
    { text: [end] },
  ];
  await using vault = await AskVault.of('#User : first\n\n# End\n', {
    settings: { mcpSessionLimit: 2 },
    script: [turn('a', 'One.'), turn('b', 'Two.'), turn('c', 'Three.'), turn('d', 'Four.')].flat(),
  });
  const { obsidian } = vault;
  await vault.edit('#User : first');
  const answers = async (end: string) => {
    await vault.ask();
    await vault.shows(`\n${end}\n`);
    await vault.answered();
    return (await obsidian.text()).split(/#User : .*\n/).at(-1);
  };
  const askNext = async (question: string, end: string) => {
    await vault.type(`#User : ${question}\n\n`, '# End');
    return answers(end);
  };
  expect(await answers('One.')).toContain('mcp-result');
  await obsidian.harness.evaluate((each) => each.renameFile('note.md', 'other.md'));
  expect(await askNext('second', 'Two.')).toContain('mcp-result');
  expect(await vault.notice('2 of 2 calls of conversation “first” in other.md are used')).toContain(
    'Reset session limits',
  );
  expect(await askNext('third', 'Three.')).toContain('Session execution limit reached (2)');
  await vault.command('Reset session limits');
  expect(await askNext('fourth', 'Four.')).toContain('mcp-result');
});
