import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@errand/host';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

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

const draft = (id: string, source: string, subject: string, hoursAgo: number) => `---
type: draft_reply
status: pending_approval
draft_id: ${id}
source_message_id: ${source}
reply_to_message_id: ${source}
to: dana@example.org
subject: "${subject}"
drafted_at: ${new Date(Date.now() - hoursAgo * 3_600_000).toISOString()}
---
Thursday suits me.
`;

let scripted: ScriptedEditor;

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    settings: { mail: { server: 'gmail' } } as unknown as Partial<Settings>,
    servers: () => [],
    notes: () => ({
      'note.md': '# Note\n',
      'Needs_Action/beams.md': mail(
        'm1',
        'Beams',
        'status: pending\ndecision: draft_reply\nconfidence: 0.93\ndecision_reason: She asks for a day.\ndraft_id: d1',
      ),
      'Needs_Action/news.md': mail('m2', 'News', 'status: needs_info\ndecision: needs_info'),
      'Needs_Action/bricks.md': mail(
        'm3',
        'Bricks',
        'status: pending\ndecision: draft_reply\ndraft_id: d2',
      ),
      'Drafts/re-beams.md': draft('d1', 'm1', 'Re: Beams', 1),
      'Drafts/re-bricks.md': draft('d2', 'm3', 'Re: Bricks', 50),
    }),
  });
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

const file = (path: string) => join(scripted.editor.folder, path);
const dialog = () => scripted.editor.page.locator('.monaco-dialog-box');
const press = (name: string) => dialog().getByRole('button', { name }).click();

test('the mail in front of a person is approved as it is shown, closed and explained; a badge counts what waits', async () => {
  const { page, inHost } = scripted.editor;
  await scripted.show('Drafts/re-beams.md');
  await inHost(async (vscode) => {
    const editor = vscode.window.activeTextEditor;
    const end = editor?.document.lineAt(editor.document.lineCount - 1).range.end;
    if (end !== undefined) await editor?.edit((builder) => builder.insert(end, 'Jo\n'));
  });
  const asking = scripted.command('errand.mail.approve');
  await expect.poll(() => dialog().textContent(), soon).toContain('To: dana@example.org');
  expect(await dialog().textContent()).toMatch(/Subject: Re: Beams[\s\S]*Thursday suits me\.\s*Jo/);
  await press('Cancel');
  await asking;
  expect(existsSync(file('Drafts/re-beams.md'))).toBe(true);

  const approving = scripted.command('errand.mail.approve');
  await press('Approve and Send');
  await approving;
  expect(readFileSync(file('Approved/re-beams.md'), 'utf8')).toMatch(/approved_hash: [\s\S]*Jo/);
  expect(existsSync(file('Drafts/re-beams.md'))).toBe(false);

  await scripted.show('Needs_Action/beams.md');
  const explaining = scripted.command('errand.mail.why');
  await expect.poll(() => dialog().textContent()).toContain('A reply was drafted (93 % sure).');
  expect(await dialog().textContent()).toContain('She asks for a day.');
  await press('OK');
  await explaining;

  await scripted.show('Needs_Action/news.md');
  await page.locator('.statusbar', { hasText: 'Mail: ' }).waitFor();
  const badge = page.locator('.activitybar .action-item', {
    has: page.locator('[aria-label^="Errand"]'),
  });
  await expect.poll(() => badge.locator('.badge-content').first().textContent()).toMatch(/^[1-9]$/);
  const closing = scripted.command('errand.mail.reject');
  await press('Close It');
  await closing;
  expect(existsSync(file('Done/news.md'))).toBe(true);
});

test('a draft that has waited too long asks a second time, and leaves only after both answers', async () => {
  const { page } = scripted.editor;
  await scripted.show('Drafts/re-bricks.md');
  // No round has looked at it yet: that it is too old is found when it is approved.
  const late = scripted.command('errand.mail.approve');
  await press('Approve and Send');
  await late;
  await page.locator('.notification-toast', { hasText: 'waited too long' }).first().waitFor();
  expect(readFileSync(file('Drafts/re-bricks.md'), 'utf8')).toContain('approval: expired');

  const refusing = scripted.command('errand.mail.approve');
  await press('Approve and Send');
  const second = dialog().filter({ hasText: 'Does it still say what you want to say?' });
  await expect.poll(() => second.textContent(), soon).toContain('Thursday suits me.');
  await press('Cancel');
  await refusing;
  expect(existsSync(file('Approved/re-bricks.md'))).toBe(false);
  expect(readFileSync(file('Drafts/re-bricks.md'), 'utf8')).not.toContain('approved_hash');

  const approving = scripted.command('errand.mail.approve');
  await press('Approve and Send');
  await press('Send It All the Same');
  await approving;
  expect(readFileSync(file('Approved/re-bricks.md'), 'utf8')).toContain('approved_hash: ');
  expect(existsSync(file('Drafts/re-bricks.md'))).toBe(false);
});
