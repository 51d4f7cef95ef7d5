const plugin = 'apps/obsidian/src/obsidian';
const blocks = `${plugin}/blocks`;
const settings = `${plugin}/settings`;
const assistant = `${plugin}/assistant`;

/** The files with the plugin's own tests. */
export const testFiles = {
  runBlock: `${blocks}/run-block.browser.test.ts`,
  movingNotes: `${blocks}/moving-notes.browser.test.ts`,
  nested: `${blocks}/nested-blocks.browser.test.ts`,
  nasty: `${blocks}/nasty-obsidian.browser.test.ts`,
  otherPrograms: `${blocks}/other-programs.browser.test.ts`,
  panes: `${blocks}/panes.browser.test.ts`,
  typing: `${blocks}/typing.browser.test.ts`,
  showCard: `${blocks}/show-card.browser.test.ts`,
  runMarks: `${plugin}/marks/run-marks.browser.test.ts`,
  showResults: `${plugin}/results/show-results.browser.test.ts`,
  addServer: `${settings}/add-server.browser.test.ts`,
  importServers: `${settings}/import.browser.test.ts`,
  serverPage: `${settings}/server-page.browser.test.ts`,
  values: `${settings}/settings-values.browser.test.ts`,
  running: `${plugin}/running/run-note.browser.test.ts`,
  sideView: `${plugin}/side-view/side-view.browser.test.ts`,
  badges: `${plugin}/sections/badges.browser.test.ts`,
  suggestions: `${plugin}/writing/suggestions.browser.test.ts`,
  answering: `${assistant}/answer-in-note.browser.test.ts`,
  approving: `${assistant}/approve-calls.browser.test.ts`,
  stopping: `${assistant}/stop-answer.browser.test.ts`,
  meanwhile: `${assistant}/typing-meanwhile.browser.test.ts`,
  external: `${plugin}/servers/external-servers.browser.test.ts`,
  managed: `${plugin}/servers/managed-servers.docker.browser.test.ts`,
  failedCalls: `${plugin}/running/failed-calls.browser.test.ts`,
  bindSection: `${plugin}/sections/bind-section.browser.test.ts`,
  boundSection: `${blocks}/bound-section.browser.test.ts`,
} as const;

const {
  runBlock,
  nasty,
  addServer,
  serverPage,
  running,
  sideView,
  badges,
  answering,
  managed,
  failedCalls,
  bindSection,
  boundSection,
} = testFiles;

/** Tests that show more than one promise. */
export const sharedTests = {
  writes: `${runBlock}: writes the result below the block as one undo step`,
  again: `${runBlock}: changes nothing when the same request answers the same`,
  answers: `${answering}: answers the question at the cursor, with calls that can be run again`,
  pageOfServer: `${serverPage}: approves, shows, tests and disables a server on its page ($way)`,
  stored: `${addServer}: a command is stored, tested and enabled ($way)`,
  lost: `${sideView}: reports a lost server, gives it up, and enables it again`,
  givenUp: `${managed}: gives up a container that always ends, until it is enabled again`,
  refused: `${boundSection}: refuses another server than that of the section, also below it, and calls nothing`,
  unable: `${running}: says at once what keeps a call from being made: %s`,
  serverGone: `${nasty}: says what happened to its server, and what to do`,
  backoff:
    'packages/host/src/registry/after-failure.test.ts: tries again after 1, 5 and 15 seconds and then gives up',
  bound: `${bindSection}: binds the section at the cursor, and its calls go to that server alone`,
  badgesShown: `${badges}: shows at each bound section which server it may call, and why`,
  noteRun: `${running}: runs a note: asks once, shows how far it is, says how it ended, and undoes one answer at a time`,
  failed: `${failedCalls}: explains wrong parameters and a call that takes too long below their blocks`,
  crashed: `${failedCalls}: says that the server ended in the middle of a call, and does not repeat it`,
} as const;
