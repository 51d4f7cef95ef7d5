import { ModelServer } from '@errand/assistant/testing';
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

test('without an assistant one is set up by a form: its models are fetched, and it is tested', async () => {
  await using model = await ModelServer.open(
    { status: 401, message: 'Who are you?' },
    { text: ['ready'] },
    { text: ['Hello.'] },
  );
  model.lists([]);
  await using opened = await openPage({}, { route: '/assistant' });
  const { page, complaints } = opened;
  await page.getByRole('heading', { name: 'No language model is set up yet' }).waitFor();
  const form = page.getByRole('form', { name: 'Language model' });
  expect(await form.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:11434/v1');
  await form.getByLabel('Provider').selectOption('Another OpenAI-compatible address');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').first().waitFor();
  await form.getByLabel('Address').fill('not an address');
  await form.getByRole('button', { name: 'Fetch models' }).click();
  await form.getByText('Write a URL').waitFor();
  await form.getByLabel('Address').fill(model.url);
  await form.getByRole('button', { name: 'Fetch models' }).click();
  await form.getByText("lists no models. Type the model's name.").waitFor();
  // What was said of the address before says nothing of what is typed now.
  await form.getByLabel('Key').fill('sk-typed');
  await expect.poll(() => form.getByText('lists no models').count()).toBe(0);
  model.lists(['small', 'large']);
  await form.getByRole('button', { name: 'Fetch models' }).click();
  await form.getByRole('combobox', { name: 'Model' }).selectOption('large');
  await form.getByRole('button', { name: 'Test' }).click();
  await form.getByText('does not accept the key').waitFor();
  await opened.photograph('assistant-setup-refused');
  await form.getByLabel('Key').fill('sk-right');
  await form.getByRole('button', { name: 'Fetch models' }).click();
  await form.getByText('2 found.').waitFor();
  await form.getByRole('button', { name: 'Test' }).click();
  await form.getByText(/^\w+ answered after/).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('assistant-setup');
  await page.setViewportSize({ width: 380, height: 800 });
  await opened.photograph('assistant-setup-380');
  await page.setViewportSize({ width: 1440, height: 900 });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Your question').fill('Hello?');
  await page.keyboard.press('Enter');
  await page.getByText('Hello.', { exact: true }).waitFor();
  expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-right');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText(`large at ${model.url}`).waitFor();
  await page.getByRole('button', { name: 'Edit Model' }).click();
  await page.getByRole('dialog').getByLabel('Key from').waitFor();
  await opened.photograph('settings-edit-model');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove Model', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => page.getByText(`large at ${model.url}`).count()).toBe(0);
  expect(complaints).toEqual([]);
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
