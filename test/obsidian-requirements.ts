/** A promise of the plugin's specification, and the tests that show it. */
export interface PluginRequirement {
  readonly promise: string;
  /** `path: name of the test`. Those in a browser go through the built plugin. */
  readonly tests: readonly string[];
  /** Why a part of it is shown one layer below the plugin; nothing when all of it goes through the plugin. */
  readonly below?: string;
}

const plugin = 'apps/obsidian/src/obsidian';
const blocks = `${plugin}/blocks`;
const settings = `${plugin}/settings`;
const assistant = `${plugin}/assistant`;
const runBlock = `${blocks}/run-block.browser.test.ts`;
const movingNotes = `${blocks}/moving-notes.browser.test.ts`;
const nasty = `${blocks}/nasty-obsidian.browser.test.ts`;
const otherPrograms = `${blocks}/other-programs.browser.test.ts`;
const panes = `${blocks}/panes.browser.test.ts`;
const typing = `${blocks}/typing.browser.test.ts`;
const showCard = `${blocks}/show-card.browser.test.ts`;
const runMarks = `${plugin}/marks/run-marks.browser.test.ts`;
const showResults = `${plugin}/results/show-results.browser.test.ts`;
const addServer = `${settings}/add-server.browser.test.ts`;
const importServers = `${settings}/import.browser.test.ts`;
const serverPage = `${settings}/server-page.browser.test.ts`;
const values = `${settings}/settings-values.browser.test.ts`;
const running = `${plugin}/running/run-note.browser.test.ts`;
const sideView = `${plugin}/side-view/side-view.browser.test.ts`;
const badges = `${plugin}/sections/badges.browser.test.ts`;
const suggestions = `${plugin}/writing/suggestions.browser.test.ts`;
const answering = `${assistant}/answer-in-note.browser.test.ts`;
const approving = `${assistant}/approve-calls.browser.test.ts`;
const stopping = `${assistant}/stop-answer.browser.test.ts`;
const meanwhile = `${assistant}/typing-meanwhile.browser.test.ts`;
const external = `${plugin}/servers/external-servers.browser.test.ts`;
const managed = `${plugin}/servers/managed-servers.docker.browser.test.ts`;
const boundSection = `${blocks}/bound-section.browser.test.ts`;

const writes = `${runBlock}: writes the result below the block in one step of undo`;
const again = `${runBlock}: changes nothing when the same request answers the same`;
const answers = `${answering}: answers the question at the cursor, with calls that can be run again`;
const pageOfServer = `${serverPage}: a server is agreed to, followed, tested and switched off on its page ($way)`;
const stored = `${addServer}: a command is stored, tested and enabled ($way)`;
const lost = `${sideView}: tells of a lost server, gives it up, and enables it again`;
const givenUp = `${managed}: gives up a container that always ends, until it is enabled again`;
const refused = `${boundSection}: refuses another server than that of the section, also below it, and calls nothing`;
const unable = `${running}: says at once what keeps a call from being made: %s`;
const serverGone = `${nasty}: says what happened to its server, and what to do`;
const backoff =
  'packages/host/src/registry/after-failure.test.ts: tries again after 1, 5 and 15 seconds and then gives up for good';

export const pluginRequirements: Readonly<Record<string, PluginRequirement>> = {
  // Servers
  'FR-001': shown(
    'Servers are registered in the settings.',
    stored,
    `${importServers}: pasted JSON is read, renamed where it must be, tested and enabled`,
  ),
  'FR-002': shown(
    'Servers are there again after Obsidian was closed.',
    stored,
    `${values}: a broken data file is explained and not written over ($way)`,
    `${panes}: runs nothing when notes are opened, scrolled, switched, split and the plugin is loaded anew`,
  ),
  'FR-003': shown('A server is switched off and on without losing its settings.', pageOfServer),
  'FR-004': shown(
    'A server is active only after it answered.',
    stored,
    `${addServer}: a server whose test fails stays disabled, and what to do is asked`,
  ),
  'FR-005': shown('The state of each server is shown.', pageOfServer, lost),
  'FR-036': shown(
    'Containers are started, watched and ended.',
    `${managed}: starts a container for a block, starts another when it is killed, and leaves none`,
  ),
  'FR-037': shown(
    'Servers of others are asked how they are and never started or stopped.',
    `${external}: asks a server by its address how it is, and leaves it running`,
  ),
  'FR-038': shown(
    'Containers and servers of others are told apart.',
    `${importServers}: a Docker image or a URL asks only for what it needs`,
  ),
  'FR-039': below(
    'A server that keeps failing is disabled.',
    'The 1, 5 and 15 seconds are counted with a clock that a test moves; Obsidian has only the real one.',
    givenUp,
    lost,
    backoff,
  ),
  'FR-040': shown('A notice tells that a server was disabled.', lost, givenUp),
  // Blocks
  'FR-006': shown(
    'A block whose language is the name of a server is recognised.',
    `${runBlock}: shows a card and runs nothing (%s)`,
    `${nasty}: loads when another plugin shows blocks of the same language`,
  ),
  'FR-007': below(
    'The tool and its parameters are read from the block.',
    'Every form of YAML is a case of a pure function; the card shows what it read.',
    writes,
    'apps/obsidian/src/describe-card.test.ts: shows the parameters as they are written',
    'packages/document/src/blocks/parse-request.test.ts: bad YAML is reported on its line of the note',
  ),
  'FR-008': shown(
    'The tool is run when the note is processed.',
    writes,
    `${running}: runs a note: asks once, shows how far it is, says how it ended, and undoes one answer at a time`,
  ),
  'FR-009': shown(
    'The answer stands below the block.',
    writes,
    `${blocks}/nested-blocks.browser.test.ts: runs blocks in callouts, lists and quotes in Reading view, each answer in its place`,
  ),
  'FR-010': shown('The request stays and can be run again.', again),
  'FR-011': shown(
    'The state of a block is seen in the note.',
    `${showCard}: a running block counts its time, and nothing counts after it, nor after the plugin`,
    `${runMarks}: in the source a mark beside the fence shows the state, runs and cancels`,
  ),
  // Sections
  'FR-012': below(
    'Headings, blocks and ranges are bound to a server.',
    'What the command writes into the frontmatter is a pure function of the note.',
    `${serverPage}: a server is bound, renamed and removed on its page ($way)`,
    `${badges}: shows at each bound part which server it may ask, and why`,
    'packages/document/src/sections/bind-section.test.ts: makes the frontmatter that is not there, and removes it again',
  ),
  'FR-013': shown(
    'A bound section calls its server only.',
    refused,
    `${suggestions}: suggests only the server of the section, in a list in a quote too`,
  ),
  'FR-014': shown(
    'What is below a bound section is bound with it.',
    refused,
    `${badges}: shows at each bound part which server it may ask, and why`,
  ),
  'FR-015': shown(
    'The server of a section is seen.',
    `${badges}: shows at each bound part which server it may ask, and why`,
  ),
  // The assistant
  'FR-016': shown('The model knows the tools.', answers),
  'FR-017': shown('The model asks for calls.', answers),
  'FR-018': shown(
    'Calls and answers stream while the person works.',
    `${meanwhile}: leaves typing, cursor and undo to the person while it writes`,
  ),
  'FR-019': shown('The answer of a tool reaches the model before it ends.', answers),
  'FR-020': below(
    'Every call of a model is logged.',
    'The fields of the log are checked where it is written; the side view shows them.',
    `${sideView}: shows calls with their time, ends one, and opens the note of a past one`,
    'packages/assistant/src/turn/converse.test.ts: the log has every request and call, with conversation, note, line, tokens and time',
  ),
  // Errors
  'FR-021': shown(
    'A connection that fails is explained.',
    `${external}: says what to do when nothing listens at the address`,
    `${managed}: says which image is missing`,
    `${managed}: says where it looked for an engine`,
  ),
  'FR-022': shown('A call that fails is explained.', unable),
  'FR-023': shown('A tool that is not there is skipped, and the person told.', unable, serverGone),
  'FR-024': shown(
    'A note is never harmed.',
    `${typing}: leaves the cursor, folds and what is typed meanwhile, and is one exact step of undo`,
    `${otherPrograms}: keeps what is not saved and what another program wrote while it ran`,
    `${movingNotes}: says where the result is when the note was deleted`,
  ),
  'FR-025': shown(
    'Messages are notices that hold nobody up.',
    `${running}: ends a run from its notice, and the server is told`,
    lost,
  ),
  // Settings
  'FR-026': shown(
    'Only what is needed is asked.',
    `${importServers}: a Docker image or a URL asks only for what it needs`,
  ),
  'FR-027': shown(
    'Servers are added, changed and removed.',
    stored,
    `${serverPage}: a server is bound, renamed and removed on its page ($way)`,
  ),
  'FR-028': shown(
    'The settings show the state and the last try.',
    pageOfServer,
    'apps/obsidian/src/settings/describe-server.test.ts: says why a server fails, when it was tried last and when it is tried next',
  ),
  'FR-029': shown('A server is tested from the settings.', pageOfServer),
  'FR-030': shown(
    'Wrong input is told at its field and not stored.',
    `${values}: a wrong value is told at its field and not stored ($way)`,
  ),
  // Limits and safety
  'FR-031': below(
    'A call has a time limit of 30 seconds that can be changed.',
    'That the default is 30 seconds is seen in the settings that are read, without waiting for them.',
    unable,
    'packages/host/src/executor/perform-call.test.ts: the timeout of the $name is used',
    'packages/host/src/settings/read-settings.test.ts: fills the defaults',
  ),
  'FR-032': below(
    'Calls are limited at once and per session, and can be stopped.',
    'Twenty-six calls at once are one test of the executor; the plugin uses it as it is.',
    `${running}: stops everything, refuses until resumed, and says so once`,
    `${running}: warns at 80 % of the session, refuses at its limit, and lets a whole note run`,
    'packages/host/src/executor/limits.test.ts: 26 calls at a limit of 25: one waits, none fails',
    'packages/host/src/executor/limits.test.ts: -1 lifts both limits',
  ),
  'FR-033': shown(
    'Servers speak over standard input and output, and SSE.',
    writes,
    `${external}: runs a block over %s %s, also after the server was restarted`,
  ),
  'FR-034': shown(
    'What may run is decided by enabling servers.',
    pageOfServer,
    `${runBlock}: starts nothing when the person does not agree`,
    `${approving}: obeys what the settings say of a server`,
  ),
  'FR-035': shown('Every run asks the server anew.', again),
  'FR-041': below(
    'What fails is tried again after 1, 5 and 15 seconds.',
    'The seconds are counted with a clock that a test moves.',
    lost,
    backoff,
  ),
  'FR-042': shown(
    'A port that is taken is named in a notice.',
    `${managed}: says which port is taken, and by whom`,
  ),
  // Acceptance scenarios
  'scenario 1': shown('A registered server answers a block.', writes),
  'scenario 2': shown('The assistant uses any enabled server.', answers),
  'scenario 3': below(
    'A disabled server is skipped, and the person told.',
    'That a model is not offered its tools is seen in the request to the model.',
    serverGone,
    'packages/assistant/src/turn/converse.test.ts: tools of a disabled server are absent, and of one that is switched off meanwhile too',
  ),
  'scenario 4': shown(
    'A note keeps its requests, and runs them only when asked.',
    `${panes}: runs nothing when notes are opened, scrolled, switched, split and the plugin is loaded anew`,
  ),
  'scenario 5': shown('The answer of a tool is part of the conversation.', answers),
  'scenario 6': shown('Each section uses its own server.', refused),
  // Edge cases
  'edge case 1': shown(
    'A server that is not there, or too slow.',
    unable,
    lost,
    `${external}: says what to do when nothing listens at the address`,
  ),
  'edge case 2': shown('A call that fails.', unable, serverGone),
  'edge case 3': below(
    'The same request again and again.',
    'After the first press the button ends the call, so a second call can only be asked for below.',
    `${nasty}: shows what runs, and runs it once, when every card is made anew at each change`,
    'packages/host/src/executor/executor.test.ts: the same block asked again while it runs joins the running call',
  ),
  'edge case 4': below(
    'Loops.',
    'The rounds of a model are counted where they are made.',
    'packages/assistant/src/turn/limits.test.ts: after ten rounds of tools the model must answer with what it has',
    'packages/assistant/src/turn/limits.test.ts: the same call with the same answer three times ends the turn',
  ),
  'edge case 5': shown(
    'Settings that change in the middle.',
    serverGone,
    `${serverPage}: a change by another program while a server is edited is told, and what was typed stays`,
  ),
  'edge case 6': shown(
    'Answers stay while the note is edited.',
    again,
    `${typing}: is not written below a request that was changed meanwhile, and says where it is`,
  ),
  'edge case 7': shown(
    'An answer that was edited by hand.',
    `${runBlock}: does not undo what was typed just before`,
  ),
  'edge case 8': shown(
    'Calls of several sections at once.',
    `${running}: runs a note: asks once, shows how far it is, says how it ended, and undoes one answer at a time`,
    `${stopping}: answers one question of a note at a time, and two notes at once`,
  ),
  'edge case 9': shown('A tool or server that does not exist.', unable, serverGone),
  'edge case 10': shown(
    'What may run, and what may an answer do.',
    `${runBlock}: starts nothing when the person does not agree`,
    `${approving}: asks about calls that change something, one after the other`,
    `${showResults}: nothing in an answer is live (%s)`,
  ),
};

function shown(promise: string, ...tests: string[]): PluginRequirement {
  return { promise, tests };
}

function below(promise: string, reason: string, ...tests: string[]): PluginRequirement {
  return { promise, below: reason, tests };
}
