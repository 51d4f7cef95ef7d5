import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@errand/host';
import { expect, onTestFinished, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const program = join(import.meta.dirname, '../../../../cli/src/main.ts');
const soon = { timeout: 60_000 };

const mail = (id: string, subject: string, more: string) => `---
type: email
message_id: ${id}
from: Dana <dana@example.org>
to: jo@example.org
subject: ${subject}
date_received: 2026-11-18T01:10:09.000Z
${more}
---
\`\`\`text
Would Thursday suit you?
\`\`\`
`;

const notes = {
  'Needs_Action/beams.md': mail(
    'm1',
    'Beams',
    'status: pending\ndecision: draft_reply\nconfidence: 0.93\ndecision_reason: She asks for a day.\ndraft_id: d1',
  ),
  'Needs_Action/news.md': mail('m2', 'News', 'status: needs_info\ndecision: needs_info'),
  'Drafts/re-beams.md': `---
type: draft_reply
status: pending_approval
draft_id: d1
source_message_id: m1
reply_to_message_id: m1
to: dana@example.org
subject: "Re: Beams"
drafted_at: 2026-11-18T01:10:09.000Z
---
Thursday suits me.
`,
  'Drafts/re-old.md': `---
type: draft_reply
status: pending_approval
approval: expired
draft_id: d2
to: dana@example.org
subject: "Re: Old"
drafted_at: 2026-11-01T01:10:09.000Z
---
Still true.
`,
};

/** The program that runs the mailroom; nothing can be sent, since there is no mail server. */
async function serve({ obsidian: { home } }: ScriptedVault) {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd: join(home, 'vault'),
    env: { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  return child;
}

test('the mail in front of a person is approved as it is shown, rejected and explained; the status bar counts', {
  timeout: 240_000,
}, async () => {
  const settings = { mail: { server: 'gmail' } } as unknown as Partial<Settings>;
  await using vault = await ScriptedVault.open('Text.\n', { notes, settings });
  const { page, home } = vault.obsidian;
  const file = (path: string) => join(home, 'vault', path);
  const offered = () => vault.obsidian.harness.evaluate((each) => each.commands.names());
  const show = async (path: string) => {
    await vault.obsidian.harness.evaluate((each) => each.closeAll());
    await vault.show('source', path);
  };
  await show('note.md');
  expect(await offered()).not.toContain('Errand: Approve draft');
  await show('Drafts/re-beams.md');
  expect(await offered()).toContain('Errand: Approve draft');
  await vault.command('Approve draft');
  await vault.notice('No program runs the mailroom of this vault.');

  const serving = await serve(vault);
  const dialog = page.getByRole('dialog');
  await vault.type('On ', 'Thursday suits');
  // Obsidian hands the vault over when it hears of the other program.
  await expect
    .poll(async () => {
      if ((await dialog.count()) === 0) await vault.command('Approve draft');
      return dialog.textContent({ timeout: 5_000 }).catch(() => '');
    }, soon)
    .toContain('To: dana@example.org');
  const shown = (await dialog.textContent()) ?? '';
  expect(shown).toContain('Subject: Re: Beams');
  expect(shown).toContain('On Thursday suits me.');
  await dialog.getByRole('button', { name: 'Not now' }).click();
  expect(existsSync(file('Drafts/re-beams.md'))).toBe(true);
  await vault.command('Approve draft');
  await dialog.getByRole('button', { name: 'Approve and send' }).click();
  await vault.notice('Approved: Re: Beams');
  expect(existsSync(file('Drafts/re-beams.md'))).toBe(false);
  expect(readFileSync(file('Approved/re-beams.md'), 'utf8')).toMatch(
    /approved_hash: [\s\S]*On Thursday suits me\./,
  );

  // A draft that waited too long asks twice.
  await show('Drafts/re-old.md');
  await vault.command('Approve draft');
  await dialog.getByRole('button', { name: 'Approve and send' }).click();
  await dialog.getByText('has waited too long').waitFor();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  expect(existsSync(file('Drafts/re-old.md'))).toBe(true);
  await vault.command('Approve draft');
  await dialog.getByRole('button', { name: 'Approve and send' }).click();
  await dialog.getByRole('button', { name: 'Send it all the same' }).click();
  await vault.notice('Approved: Re: Old');
  expect(existsSync(file('Approved/re-old.md'))).toBe(true);

  await show('Needs_Action/beams.md');
  await vault.command('Why was this mail treated so');
  await dialog.getByText('A reply was drafted (93 % sure).').waitFor();
  await dialog.getByText('She asks for a day.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await show('Needs_Action/news.md');
  const status = () => page.locator('.errand-status').textContent();
  await expect.poll(status, soon).toContain('Mail: ');
  await vault.command('Reject draft, or close mail');
  await dialog.getByRole('button', { name: 'Close it' }).click();
  await vault.notice('Closed: News');
  expect(existsSync(file('Done/news.md'))).toBe(true);
  const ended = once(serving, 'exit');
  serving.kill('SIGTERM');
  await ended;
});
