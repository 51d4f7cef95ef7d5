import { done, type Requirement } from './requirement.ts';

/** What is asked of the faces: command line, workbench, Obsidian. */
export const faces: Readonly<Record<string, Requirement>> = {
  R40: done(
    'Settings ask only for what is needed; notices never block.',
    'apps/workbench/src/page/settings/settings-page.browser.test.ts: settings are changed and saved; a mistake is explained at its field',
    'apps/workbench/src/page/settings/settings-page.browser.test.ts: settings stored by another program or tab appear at once and keep what is typed',
    'apps/workbench/src/page/settings/settings-page.browser.test.ts: secrets are set, replaced and removed by name; a missing one comes first',
    'apps/workbench/src/page/servers/add-server.browser.test.ts: adds a server by command: named, tested step by step, enabled',
    'apps/workbench/src/page/servers/add-server.browser.test.ts: wrong input is explained at its field, and nothing is stored',
    'apps/workbench/src/page/servers/server-life.browser.test.ts: a server that is auto-disabled is reported in a notice and in its row, and connects again when enabled',
    'apps/workbench/src/page/model/toasts.test.ts: shows three toasts at once and queues the others',
    'apps/workbench/src/page/shell/app.browser.test.ts: notices wait for their turn, and at 380 pixels they cover nothing',
  ),
  R41: done(
    'The Obsidian plugin shows and does all of this in the editor.',
    'test/obsidian-requirements/plugin-requirements.test.ts: names every requirement, scenario and edge case of the specification once',
    'test/obsidian-requirements/plugin-requirements.test.ts: $id names only tests that exist',
    'test/obsidian-requirements/plugin-requirements.test.ts: $id goes through the built plugin, or says why not',
    'apps/obsidian/src/obsidian/unload.browser.test.ts: leaves nothing behind while a call runs',
    'apps/obsidian/src/obsidian/blocks/panes.browser.test.ts: runs nothing when notes are opened, scrolled, switched, split and the plugin is reloaded',
    'apps/obsidian/src/obsidian/side-view/side-view.browser.test.ts: shows calls with their time, ends one, and opens the note of a past one',
    'apps/obsidian/src/obsidian/assistant/answer-in-note.browser.test.ts: answers the question at the cursor, with calls that can be run again',
  ),
  R45: done(
    'One program owns a vault and the others attach: servers, limits, sessions, stop and history are one.',
    'test/end-to-end/one-owner.test.ts: three programs use one process of a server, and the page shows the calls of the others live',
    'test/end-to-end/one-owner.test.ts: stopping in one program stops the calls of all, until any of them resumes',
    'test/end-to-end/one-owner.test.ts: a run of the command line is a session of its own, and ends with the command',
    'test/end-to-end/one-owner.test.ts: one-shot commands never own a vault, and with --trust they share nothing',
    'test/end-to-end/one-owner.test.ts: a vault under git has no changes after use, also when a server was given up',
    'test/end-to-end/one-owner.test.ts: servers are added, changed, disabled and removed from a terminal while another program owns the vault',
    'test/end-to-end/up.test.ts: errand up that was stopped for a while waits for its turn, and owns the vault again',
    'test/end-to-end/up.test.ts: errand up runs the servers until it is stopped, and others use them',
    'test/end-to-end/up.test.ts: errand status shows owner, programs, servers, calls and sessions',
    'test/end-to-end/up.test.ts: errand stop ends the calls of others and refuses new ones until errand resume',
  ),
};
