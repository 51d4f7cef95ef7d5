import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@errand/host';
import { expect, test } from 'vitest';
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

const draft = `---
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
`;

test('the mail in front of a person is approved as it is shown, closed and explained; a badge counts what waits', async () => {
  await using scripted = await ScriptedEditor.open({
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
      'Drafts/re-beams.md': draft,
    }),
  });
  const { page, folder, inHost } = scripted.editor;
  const file = (path: string) => join(folder, path);
  const dialog = page.locator('.monaco-dialog-box');
  await scripted.show('Drafts/re-beams.md');
  await inHost(async (vscode) => {
    const editor = vscode.window.activeTextEditor;
    const end = editor?.document.lineAt(editor.document.lineCount - 1).range.end;
    if (end !== undefined) await editor?.edit((builder) => builder.insert(end, 'Jo\n'));
  });
  const asking = scripted.command('errand.mail.approve');
  await expect.poll(() => dialog.textContent(), soon).toContain('To: dana@example.org');
  expect(await dialog.textContent()).toMatch(/Subject: Re: Beams[\s\S]*Thursday suits me\.\s*Jo/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await asking;
  expect(existsSync(file('Drafts/re-beams.md'))).toBe(true);

  const approving = scripted.command('errand.mail.approve');
  await dialog.getByRole('button', { name: 'Approve and Send' }).click();
  await approving;
  expect(readFileSync(file('Approved/re-beams.md'), 'utf8')).toMatch(/approved_hash: [\s\S]*Jo/);
  expect(existsSync(file('Drafts/re-beams.md'))).toBe(false);

  await scripted.show('Needs_Action/beams.md');
  const explaining = scripted.command('errand.mail.why');
  await expect.poll(() => dialog.textContent()).toContain('A reply was drafted (93 % sure).');
  expect(await dialog.textContent()).toContain('She asks for a day.');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await explaining;

  await scripted.show('Needs_Action/news.md');
  await page.locator('.statusbar', { hasText: 'Mail: ' }).waitFor();
  const badge = page.locator('.activitybar .action-item', {
    has: page.locator('[aria-label^="Errand"]'),
  });
  await expect.poll(() => badge.locator('.badge-content').first().textContent()).toMatch(/^[1-9]$/);
  const closing = scripted.command('errand.mail.reject');
  await dialog.getByRole('button', { name: 'Close It' }).click();
  await closing;
  expect(existsSync(file('Done/news.md'))).toBe(true);
}, 240_000);
