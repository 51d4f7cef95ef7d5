import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildPage, isPageOld } from '../build-page.ts';
import { serveInBackground } from '../serve-vault.ts';
import { headerOf, type MailDemo, openMailDemo } from './mail-demo.ts';
import { readMails } from './pretend-mailbox.ts';

const patient = { timeout: 180_000 };
const never = 2 ** 31 - 1;

interface Morning extends AsyncDisposable {
  readonly demo: MailDemo;
  readonly page: Page;
  readonly context: BrowserContext;
  readonly board: string;
  /** The names of the notes of a folder. */
  notes(folder: string): readonly string[];
  /** Recipient, subject and text of everything that left. */
  sent(): Promise<readonly (readonly [to: string, subject: string, body: string])[]>;
}

/** The demonstration in a browser, after the person said which mail to take. */
async function openMorning(): Promise<Morning> {
  if (isPageOld()) await buildPage();
  await using opening = new AsyncDisposableStack();
  const demo = opening.use(await openMailDemo({ laterAfterMs: never }));
  const home = join(demo.vault, '..');
  // Both say how to begin.
  const welcome = readFileSync(join(demo.vault, 'Welcome.md'), 'utf8');
  for (const text of [demo.introduction, welcome]) expect(text).toContain('Unread of the last day');
  const args = [...demo.args, '--port', '0'];
  const served = opening.use(await serveInBackground(demo.vault, { home, env: demo.env, args }));
  const browser = await chromium.launch({
    executablePath: process.env.ERRAND_TEST_CHROMIUM ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  opening.defer(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(served.url);
  await page.waitForURL(({ pathname }) => pathname === '/');
  const board = `${new URL(served.url).origin}/#/mail`;
  await page.goto(board);
  await page.getByText('Which mail should become notes?').waitFor();
  await page.getByRole('button', { name: 'Unread of the last day' }).click();
  // All mails are decided about: three have drafts, two are archived, the others wait for a person.
  await page.getByRole('heading', { name: 'Drafts 3' }).waitFor({ timeout: 60_000 });
  await page.getByRole('heading', { name: 'Done 2' }).waitFor();
  await page.locator('.mail-counts').getByText('7').waitFor();
  const resources = opening.move();
  return {
    demo,
    page,
    context,
    board,
    notes: (folder) => {
      const path = join(demo.vault, folder);
      return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.md')) : [];
    },
    sent: async () =>
      (await demo.mailbox.sent()).map(({ text }) => [
        headerOf(text, 'To'),
        headerOf(text, 'Subject'),
        bodyOf(text),
      ]),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The text of a mail that was sent as quoted-printable. */
function bodyOf(mail: string): string {
  const body = mail.slice(mail.indexOf('\r\n\r\n') + 4).replace(/=\r\n/g, '');
  const bytes = body.replace(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number(`0x${hex}`)),
  );
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n').trim();
}

/** All text of the vault, logs included. */
function everyText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');
}

test(
  "a morning's mail is read, edited, approved and rejected with the keyboard, while somebody else watches",
  patient,
  async () => {
    await using morning = await openMorning();
    const { page, demo, context, sent, notes } = morning;
    const other = await context.newPage();
    await other.goto(morning.board);
    await other.getByRole('heading', { name: 'Drafts 3' }).waitFor();
    const secrets = everyText(demo.vault);
    expect(secrets).not.toContain('Tr0ut-lantern-88');
    expect(secrets).not.toContain('482913');

    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Water is coming through the hall ceiling' }).waitFor();
    await page.keyboard.press('e');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nPS: Bring buckets.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('PS: Bring buckets.').waitFor();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Approve and send' }).waitFor();
    const leaves = (await dialog.locator('.mail-leaving').textContent()) ?? '';
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await sent()).length).toBe(1);
    const [[to = '', subject = '', body = ''] = []] = await sent();
    expect(to).toContain('marta.lind@northside-hall.example');
    expect(leaves).toContain(to);
    expect(leaves).toContain(subject);
    expect(leaves).toContain(body);
    expect(body).toMatch(/within the hour.*PS: Bring buckets\.$/s);

    // The next draft is open already.
    await page.getByRole('button', { name: 'Reject …' }).waitFor();
    const rejected = await page.locator('.mail-draft').textContent();
    await page.keyboard.press('r');
    await dialog.getByLabel('Reason').waitFor();
    await page.keyboard.type('I will call.');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Approve …' }).waitFor();
    expect(await page.locator('.mail-draft').textContent()).not.toBe(rejected);
    await page.keyboard.press('a');
    await dialog.getByRole('button', { name: 'Approve and send' }).waitFor();
    await page.keyboard.press('a');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await sent()).length).toBe(2);

    await other.getByRole('heading', { name: 'Drafts 0' }).waitFor();
    await other.getByRole('heading', { name: 'Approved 0' }).waitFor();
    await other.getByText('Rejected').first().waitFor();
    expect(notes('Drafts')).toEqual([]);
    expect(notes('Approved')).toEqual([]);
    expect((await sent()).map(([recipient]) => recipient).join()).not.toContain('thief');
    expect(everyText(join(demo.vault, 'Done'))).toContain('decision: rejected');
  },
);

test(
  'why a mail was treated so is said, a draft is dragged to Approved, and one is moved there by hand',
  patient,
  async () => {
    await using morning = await openMorning();
    const { page, demo, sent, notes } = morning;
    const column = (name: string) => page.getByRole('region', { name });
    await page.getByRole('link', { name: /invoice 2207/ }).click();
    await page.getByRole('heading', { name: 'What the model asks' }).waitFor();
    await page.keyboard.press('w');
    await page.getByText('It is about money, so it is never archived.').waitFor();
    await page.getByText(/The reason given: A reminder/).waitFor();
    await page.keyboard.press('u');

    const card = column('Drafts').getByRole('listitem').filter({ hasText: 'Site visit' });
    await card.dragTo(column('Approved'));
    await page.getByRole('dialog').getByText('Thursday at ten is fine.').waitFor();
    expect(await sent()).toEqual([]);
    await page.getByRole('button', { name: 'Approve and send' }).click();
    await expect.poll(async () => (await sent()).length).toBe(1);

    const [name = ''] = notes('Drafts').filter((each) => /chairs/i.test(each));
    renameSync(join(demo.vault, 'Drafts', name), join(demo.vault, 'Approved', name));
    await column('Approved').getByText('Chairs for Saturday').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect.poll(async () => (await sent()).length).toBe(2);
    await expect.poll(() => notes('Approved')).toEqual([]);

    const [later] = readMails('examples/mailroom/inbox').filter((each) =>
      each.name.includes('later'),
    );
    if (later === undefined) throw new Error('No mail arrives later.');
    await demo.mailbox.deliver(later);
    await page.getByRole('button', { name: 'Check now' }).click();
    // The model is not sure of the number in its reply.
    const asked = column('Needs action').getByRole('listitem').filter({ hasText: 'second lorry' });
    await asked.getByText('Needs you').waitFor();
    await asked.getByRole('button', { name: /^Close/ }).click();
    await page.getByRole('button', { name: 'Close it' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The mailroom is paused.').waitFor();
    expect((await sent()).length).toBe(2);
  },
);
