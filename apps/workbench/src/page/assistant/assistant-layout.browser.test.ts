import { expect, test } from 'vitest';
import { assistantVault } from '../../api/testing/assistant-vault.ts';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

const long = `## What I found

The stove is in *two* notes:

1. **Kitchen**, with the \`model\` and its size
2. Shopping, with a price

| note | words |
|---|---|
| Kitchen | the stove is old |
| Shopping | a stove costs 400 |

\`\`\`ts
const stove = { width: 60, height: 85, name: 'a rather long line of code that does not fit' };
\`\`\`
`;
const calls = [
  { name: 'scripted__echo', arguments: { text: 'stove' } },
  { name: 'scripted__structured', arguments: {} },
  { name: 'scripted__fail', arguments: {} },
  { name: 'scripted__large', arguments: { bytes: 300_000 } },
  { name: 'scripted__write', arguments: {} },
];
const files = {
  'Home/Kitchen.md':
    '# Kitchen\n\nThe stove is old.\n\n```scripted\ntool: echo\ntext: hello\n```\n\n## Plans\n\nA new one.\n',
};

test.for(['light', 'dark'] as const)(
  'a conversation in %s is in order for axe, at every width',
  async (colorScheme) => {
    await using scripted = await assistantVault(
      [
        { text: ['I look at your notes first.'], calls },
        { text: [long], stop: 'length' },
      ],
      files,
    );
    await using opened = await openPage(scripted.vault, {
      colorScheme,
      route: '/assistant/Home/Kitchen.md?free=1',
    });
    const { page, complaints } = opened;
    await page
      .getByLabel('Your question')
      .fill('Which notes mention the stove, and what do they say?');
    await page.keyboard.press('Enter');
    const names = ['write', 'fail'];
    for (const name of names) {
      await page.getByRole('group', { name: `Allow scripted ${name}?` }).waitFor();
    }
    expect(await findAxeProblems(page)).toEqual([]);
    await opened.photograph(`assistant-asks-${colorScheme}`);
    for (const name of names) {
      const question = page.getByRole('group', { name: `Allow scripted ${name}?` });
      await question.getByRole('button', { name: 'Allow', exact: true }).click();
    }
    await page.getByText('The answer reached the length limit').last().waitFor();
    for (const width of [1440, 768, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('button', { name: 'Continue' }).scrollIntoViewIfNeeded();
      expect(await findAxeProblems(page)).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      await opened.photograph(`assistant-${colorScheme}-${width}`);
    }
    await page.locator('.conversation-turns').evaluate((element) => element.scrollTo(0, 0));
    await opened.photograph(`assistant-${colorScheme}-top`);
    expect(complaints).toEqual([]);
  },
);

test('without an assistant the page says how to set one up, and goes on when that is done', async () => {
  await using scripted = await assistantVault();
  const { settings } = scripted.vault;
  await using opened = await openPage(
    { ...scripted.vault, settings: { ...settings, assistants: [] } },
    { route: '/assistant' },
  );
  const { page, workbench } = opened;
  await page.getByRole('heading', { name: 'No language model is set up yet' }).waitFor();
  await page.getByText('http://127.0.0.1:11434/v1').waitFor();
  await page.getByRole('button', { name: 'Copy the settings for: With a key' }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('assistant-none');
  await page.setViewportSize({ width: 380, height: 800 });
  await opened.photograph('assistant-none-380');
  const stored = { version: 1, ...settings };
  await workbench.writeNote('.errand/settings.json', JSON.stringify(stored));
  await page.getByText(`May Claude be used?`).waitFor();
});

test('a stranger’s assistant is used after a look at where it sends things', async () => {
  await using scripted = await assistantVault([{ text: ['Hello.'] }]);
  await using opened = await openPage(
    { ...scripted.vault, strangers: ['Claude'] },
    { route: '/assistant' },
  );
  const { page } = opened;
  await page.getByLabel('Your question').fill('Hello?');
  expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  const question = page.getByRole('note', { name: 'May Claude be used?' });
  await question.getByText(scripted.model.url).waitFor();
  await question.getByText(`\${secret:key}`).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('assistant-stranger');
  expect(scripted.model.requests).toEqual([]);
  await question.getByRole('button', { name: 'Agree' }).click();
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Hello.', { exact: true }).waitFor();
});
