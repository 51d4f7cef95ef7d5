import { below, type PluginRequirement, shown } from './plugin-requirement.ts';
import { sharedTests, testFiles } from './plugin-tests.ts';

const { runBlock, nasty, panes, typing, showResults, serverPage, approving, stopping, external } =
  testFiles;
const {
  writes,
  again,
  answers,
  lost,
  refused,
  unable,
  serverGone,
  bound,
  badgesShown,
  noteRun,
  failed,
  crashed,
} = sharedTests;

/** The six acceptance scenarios and the ten edge cases. */
export const scenariosAndEdgeCases: Readonly<Record<string, PluginRequirement>> = {
  // Acceptance scenarios
  'scenario 1': shown('A registered server answers a block.', writes),
  'scenario 2': below(
    'The assistant uses any enabled server.',
    'Which of several servers a model is offered is seen in the request to the model.',
    answers,
    'packages/assistant/src/turn/converse.test.ts: a server that cannot be started is told of once, and the others are there',
    'packages/assistant/src/turn/converse.test.ts: of 300 tools the section’s come first and the rest by a search, within the budget',
  ),
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
  'scenario 6': shown('Each section uses its own server.', bound, refused, badgesShown),
  // Edge cases
  'edge case 1': shown(
    'A server that is not there, or too slow.',
    failed,
    lost,
    `${external}: says what to do when nothing listens at the address`,
  ),
  'edge case 2': shown('A call that fails.', failed, crashed, unable),
  'edge case 3': shown(
    'The same request again and again.',
    noteRun,
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
    noteRun,
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
