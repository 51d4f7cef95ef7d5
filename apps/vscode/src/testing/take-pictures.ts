import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { Frame } from 'playwright-core';
import { ScriptedEditor } from './scripted-editor.ts';

// Makes the pictures of the documents in the real editor; the folder for them is the argument.
const [folder = '.'] = process.argv.slice(2);

const note = `---
mcp: {sections: [{heading: Weather, server: weather}]}
---
# A trip to Bern

## Weather

\`\`\`weather
tool: echo
text: Sunny in Bern, 21 °C
\`\`\`

\`\`\`weather
tool: ecko
text: Rain in Thun
\`\`\`
`;

const serverId = '7e0c8a4e-6b53-4f0c-9b7e-2a61f3f2d006';

await using scripted = await ScriptedEditor.open({
  servers: ({ journal }) => [scriptedServerConfig({ journal }, { id: serverId, name: 'weather' })],
  notes: () => ({ 'A trip.md': note }),
  hooks: () => [
    {
      id: 'tell',
      name: 'Tell the channel',
      trigger: { kind: 'file', events: ['changed'], glob: 'Inbox/*.md' },
      conditions: [{ field: 'file.name', glob: '*.md' }],
      actions: [
        {
          type: 'mcp',
          parameters: {
            serverId,
            toolName: 'echo',
            parameterMappings: [
              { toolParam: 'text', source: 'template', value: '{{ file.name }} was saved' },
            ],
          },
        },
      ],
    },
  ],
});
const { page } = scripted.editor;
await scripted.showViews();
await scripted.show('A trip.md');
await page.locator('.squiggly-warning').first().waitFor();
await page.locator('.codelens-decoration').first().getByText('Run', { exact: true }).click();
await page.locator('.codelens-decoration', { hasText: 'Up to date' }).waitFor();
await page.mouse.move(900, 700);
await page.locator('.pane-body .monaco-list-row', { hasText: 'Worked' }).first().waitFor();
await page.screenshot({ path: join(folder, 'vscode.png') });
await page.setViewportSize({ width: 1600, height: 1000 });
await scripted.command('workbench.action.closeAllEditors');
await scripted.command('errand.hook.edit', 'Tell the channel');
const [form] = await Promise.all([shownForm(), page.mouse.move(900, 900)]);
await form.getByText('It would run').first().waitFor();
await page.screenshot({ path: join(folder, 'vscode-hook.png') });
await scripted[Symbol.asyncDispose]();
process.exit(0);

/** The page of a hook, which stands in frames of the editor. */
async function shownForm(): Promise<Frame> {
  for (;;) {
    for (const frame of page.frames()) {
      if (await frame.locator('.hook-page').isVisible()) return frame;
    }
    await page.waitForTimeout(100);
  }
}
