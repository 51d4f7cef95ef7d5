import { below, type PluginRequirement, shown } from './plugin-requirement.ts';
import { sharedTests, testFiles } from './plugin-tests.ts';

const {
  runBlock,
  movingNotes,
  nasty,
  nested,
  otherPrograms,
  typing,
  showCard,
  runMarks,
  addServer,
  importServers,
  serverPage,
  values,
  running,
  suggestions,
  approving,
  stopping,
  meanwhile,
  external,
  managed,
} = testFiles;
const {
  writes,
  again,
  answers,
  pageOfServer,
  stored,
  lost,
  givenUp,
  refused,
  unable,
  serverGone,
  backoff,
  bound,
  badgesShown,
  noteRun,
  failed,
  crashed,
} = sharedTests;

/** FR-001 to FR-042. */
export const functionalRequirements: Readonly<Record<string, PluginRequirement>> = {
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
  ),
  'FR-003': shown('A server is switched off and on without losing its settings.', pageOfServer),
  'FR-004': shown(
    'A server is active only after it answered.',
    stored,
    `${addServer}: keeps a server whose test fails disabled, and asks what to do`,
  ),
  'FR-005': shown('The state of each server is shown.', pageOfServer, lost),
  'FR-036': shown(
    'Containers are started, watched and ended.',
    `${managed}: starts a container for a block, starts another when it is killed, and leaves none`,
    'packages/machine/src/docker/managed-connector.docker.test.ts: reports at once that the container exited, and removes it',
    'packages/machine/src/docker/pull-image.docker.test.ts: pulls a missing image with progress, and starts from it',
  ),
  'FR-037': shown(
    'Servers of others are asked how they are and never started or stopped.',
    `${external}: checks the health of a remote server, and leaves it running`,
  ),
  'FR-038': shown(
    'Containers and servers of others are told apart.',
    `${importServers}: a Docker image or a URL asks only for what it needs`,
    `${external}: checks the health of a remote server, and leaves it running`,
    `${managed}: starts a container for a block, starts another when it is killed, and leaves none`,
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
    'apps/obsidian/src/blocks/describe-request.test.ts: shows the parameters as they are written',
    'packages/document/src/blocks/parse-request.test.ts: bad YAML is reported on its line of the note',
  ),
  'FR-008': shown('The tool is run when the note is processed.', writes, noteRun),
  'FR-009': shown(
    'The answer stands below the block.',
    writes,
    `${nested}: runs blocks in callouts, lists and quotes in Reading view, each answer in its place`,
  ),
  'FR-010': shown('The request stays and can be run again.', again),
  'FR-011': shown(
    'The state of a block is seen in the note.',
    `${runBlock}: shows a card and runs nothing (%s)`,
    writes,
    crashed,
    `${showCard}: shows the elapsed time of a running block, and leaves no timer afterwards`,
    `${runMarks}: in the source a mark beside the fence shows the state, runs and cancels`,
    'packages/workspace/src/runs/note-runs.test.ts: reports how a block waits, runs, progresses and ends',
  ),
  // Sections
  'FR-012': shown(
    'Headings, blocks and ranges are bound to a server.',
    bound,
    badgesShown,
    `${serverPage}: a server is bound, renamed and removed on its page ($way)`,
  ),
  'FR-013': shown(
    'A bound section calls its server only.',
    bound,
    refused,
    `${suggestions}: suggests only the server of the section, in a list in a quote too`,
  ),
  'FR-014': shown('What is below a bound section is bound with it.', bound, refused, badgesShown),
  'FR-015': shown('The server of a section is seen.', badgesShown, bound),
  // The assistant
  'FR-016': shown('The model knows the tools.', answers),
  'FR-017': shown('The model asks for calls.', answers),
  'FR-018': shown(
    'Calls and answers stream while the person works.',
    `${meanwhile}: does not disturb typing, cursor and undo while it writes`,
    `${stopping}: notifies the server of a running call that is cancelled`,
  ),
  'FR-019': shown('The answer of a tool reaches the model before it ends.', answers),
  'FR-020': shown(
    'Every call of a model is logged.',
    answers,
    'packages/assistant/src/turn/converse.test.ts: logs every request and call with conversation, note, line, tokens and time',
  ),
  // Errors
  'FR-021': shown(
    'A connection that fails is explained.',
    `${external}: says what to do when nothing listens at the address`,
    `${managed}: says which image is missing`,
    `${managed}: says where it looked for an engine`,
  ),
  'FR-022': shown('A call that fails is explained.', unable, failed),
  'FR-023': shown('A tool that is not there is skipped, and the person told.', unable, serverGone),
  'FR-024': shown(
    'A note is never harmed.',
    `${typing}: keeps the cursor, folds and typed text, and is exactly one undo step`,
    `${otherPrograms}: keeps what is not saved and what another program wrote while it ran`,
    failed,
    crashed,
    `${movingNotes}: says where the result is when the note was deleted`,
  ),
  'FR-025': shown(
    'Messages are notices that hold nobody up.',
    `${running}: cancels a run from its notice and notifies the server`,
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
    stored,
    `${importServers}: a Docker image or a URL asks only for what it needs`,
    `${values}: shows a wrong value at its field and does not store it ($way)`,
  ),
  // Limits and safety
  'FR-031': below(
    'A call has a time limit of 30 seconds that can be changed.',
    'That the default is 30 seconds is seen in the settings that are read, without waiting for them.',
    failed,
    `${values}: shows a wrong value at its field and does not store it ($way)`,
    'packages/host/src/executor/perform-call.test.ts: the timeout of the $name is used',
    'packages/host/src/settings/read-settings.test.ts: fills the defaults',
  ),
  'FR-032': below(
    'Calls are limited at once and per session, and can be stopped.',
    'Twenty-six calls at once are one test of the executor; the plugin uses it as it is.',
    `${running}: stops everything, refuses until resumed, and says so once`,
    `${running}: warns at 80 % of the session, refuses at its limit, and lets a whole note run`,
    `${values}: shows a wrong value at its field and does not store it ($way)`,
    'packages/host/src/executor/limits.test.ts: makes one of 26 calls wait at a limit of 25, and fails none',
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
    serverGone,
    `${runBlock}: starts nothing without approval`,
    `${approving}: follows the approval rule of a server`,
  ),
  'FR-035': shown('Every run asks the server anew.', again),
  'FR-041': below(
    'What fails is tried again after 1, 5 and 15 seconds.',
    'The seconds are counted with a clock that a test moves.',
    lost,
    backoff,
    'packages/host/src/executor/retry.test.ts: a crashed call is repeated when its tool declares %s, once the server is back',
    'packages/host/src/executor/retry.test.ts: other failures are never repeated',
  ),
  'FR-042': shown(
    'A port that is taken is named in a notice.',
    `${managed}: says which port is in use, and by which program`,
  ),
};
