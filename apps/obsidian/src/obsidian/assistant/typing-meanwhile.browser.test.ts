import { expect, test } from 'vitest';
import { AskVault } from '../../testing/ask-vault.ts';

const note = '# Trip\n\nAbove.\n\n#User : q\n\n# Rest\n\nmine\n';

/** A vault in which an answer has begun, and goes on when it is let. */
async function answering(text = note) {
  const gate = Promise.withResolvers<void>();
  const script = [{ text: ['One.\n\n', 'Two.\n\nThree.'], hold: gate.promise }];
  const vault = await AskVault.of(text, { script, notes: { 'other.md': 'other\n' } });
  await vault.edit('#User : q');
  await vault.ask();
  await vault.shows('#Claude : One.');
  const goOn = async () => {
    gate.resolve();
    await vault.answered();
  };
  return { vault, goOn };
}

const answer = '#User : q\n\n#Claude : One.\n\nTwo.\n\nThree.\n\n# Rest\n\n';

test('does not disturb typing, cursor and undo while it writes', async () => {
  const { vault, goOn } = await answering();
  await using _ = vault;
  const { obsidian } = vault;
  const { keyboard } = obsidian.page;
  const moveBehind = (words: string) =>
    obsidian.harness.evaluate((each, behind) => {
      const { editor } = each.pane(0);
      editor.setCursor(editor.offsetToPos(editor.getValue().indexOf(behind) + behind.length));
      editor.focus();
    }, words);
  await moveBehind('mine');
  await keyboard.type(' and more');
  // While it is coming, undo is about what the person typed.
  expect(await vault.undone()).toBe(note.replace('#User : q\n', '#User : q\n\n#Claude : One.\n'));
  await vault.redone();
  await moveBehind('Above.');
  await keyboard.type(' Typed.');
  await moveBehind('mine and');
  await goOn();
  await keyboard.type('!');
  const typed = `# Trip\n\nAbove. Typed.\n\n${answer}mine and! more\n`;
  expect(await obsidian.text()).toBe(typed);

  // The last typing, then the whole answer, then what was typed before.
  expect(await vault.undone()).toBe(`# Trip\n\nAbove. Typed.\n\n${answer}mine and more\n`);
  expect(await vault.undone()).toBe(
    '# Trip\n\nAbove. Typed.\n\n#User : q\n\n# Rest\n\nmine and more\n',
  );
  expect(await vault.undone()).toBe('# Trip\n\nAbove.\n\n#User : q\n\n# Rest\n\nmine and more\n');
  expect(await vault.undone()).toBe(note);
  for (let step = 0; step < 3; step += 1) await vault.redone();
  expect(await vault.redone()).toBe(typed);
});

test('stays in the pane it began in, whose undo takes back all of it', async () => {
  const { vault, goOn } = await answering();
  await using _ = vault;
  const { harness } = vault.obsidian;
  // The editor of a table cell says that it belongs to the note, and has other text.
  const cell = 'a cell with more words than there are before the answer';
  await harness.evaluate((each, text) => each.pane(0).editFragment(text, 'cell'), cell);
  await vault.show('source');
  await goOn();
  for (const pane of [0, 1]) expect(await vault.obsidian.text(pane)).toContain(answer);
  expect(await vault.undone()).toBe(note);
  expect(await vault.obsidian.text(1)).toBe(note);
  expect(await vault.redone()).toContain(answer);
  expect(await harness.evaluate((each) => each.pane(0).fragment.getValue())).toBe(cell);
});

test('keeps text that was typed into the answer, and undoes the rest of it', async () => {
  const { vault, goOn } = await answering();
  await using _ = vault;
  await vault.obsidian.harness.evaluate((each) => {
    const { editor } = each.pane(0);
    const from = editor.offsetToPos(editor.getValue().indexOf('One.') + 3);
    editor.transaction({ changes: [{ from, text: ' of mine' }] }, 'input.type');
  });
  await goOn();
  const after = `# Trip\n\nAbove.\n\n${answer.replace('One.', 'One of mine.')}mine\n`;
  expect(await vault.obsidian.text()).toBe(after);
  expect(await vault.undone()).toContain('#Claude : One of mine.\n\n# Rest');
  expect(await vault.redone()).toBe(after);
});

test('does not move what the person looks at', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n');
  const { vault, goOn } = await answering(`${note}\n${lines}\n`);
  await using _ = vault;
  const { page } = vault.obsidian;
  await page.addStyleTag({
    content: '.cm-editor { height: 300px } .cm-scroller { overflow: auto }',
  });
  const scroller = page.locator('.cm-scroller');
  await scroller.evaluate((el) => el.scrollTo(0, 2000));
  const top = () =>
    page.evaluate(() => {
      const box = document.querySelector('.cm-scroller')?.getBoundingClientRect();
      return document.elementFromPoint((box?.left ?? 0) + 40, (box?.top ?? 0) + 60)?.textContent;
    });
  await expect.poll(top, { timeout: 20_000 }).toMatch(/^line \d+$/);
  const seen = await top();
  await goOn();
  await vault.shows('Three.');
  await expect.poll(top, { timeout: 20_000 }).toBe(seen);
});

test('continues in the file when the note is closed, and under its new name', async () => {
  const { vault, goOn } = await answering();
  await using _ = vault;
  const { harness, file } = vault.obsidian;
  await harness.evaluate(async (each) => {
    await each.pane(0).save();
    each.close(0);
    await each.renameFile('note.md', 'renamed.md');
  });
  await goOn();
  expect(file('renamed.md')).toBe(`# Trip\n\nAbove.\n\n${answer}mine\n`);
});

test('continues when the note is switched to Reading view and back', async () => {
  const { vault, goOn } = await answering();
  await using _ = vault;
  await vault.obsidian.harness.evaluate((each) => each.pane(0).setMode('preview'));
  await goOn();
  expect(vault.obsidian.file('note.md')).toBe(`# Trip\n\nAbove.\n\n${answer}mine\n`);
});

test('continues when another program changes the note', async () => {
  const { vault, goOn } = await answering();
  await using _ = vault;
  const { harness } = vault.obsidian;
  await harness.evaluate(async (each) => {
    await each.pane(0).save();
    await each.writeFile('note.md', `Theirs.\n\n${each.pane(0).getViewData()}`);
  });
  await vault.shows('Theirs.');
  await goOn();
  expect(await vault.obsidian.text()).toBe(`Theirs.\n\n# Trip\n\nAbove.\n\n${answer}mine\n`);
});

test('stops and keeps the text received so far when the note is deleted', async () => {
  const { vault, goOn } = await answering();
  await using _ = vault;
  const { harness, file } = vault.obsidian;
  await harness.evaluate(async (each) => {
    each.close(0);
    await each.deleteFile('note.md');
  });
  await goOn();
  const notice = await vault.notice('was deleted');
  const [, kept = ''] = /kept in (\.errand\S+)/.exec(notice) ?? [];
  expect(file(kept)).toContain('Two.');
});
