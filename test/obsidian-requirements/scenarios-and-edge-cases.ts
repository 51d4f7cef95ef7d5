import { below, type PluginRequirement, shown } from './plugin-requirement.ts';
import { sharedTests, testFiles } from './plugin-tests.ts';

const {
  runBlock,
  nasty,
  panes,
  typing,
  running,
  showResults,
  serverPage,
  approving,
  stopping,
  external,
} = testFiles;
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
    'packages/assistant/src/turn/converse.test.ts: reports a server that cannot be started once, and offers the others',
    'packages/assistant/src/turn/converse.test.ts: offers the tools of the section first, and the rest of 300 tools by search, within the budget',
  ),
  'scenario 3': below(
    'A disabled server is skipped, and the person told.',
    'That a model is not offered its tools is seen in the request to the model.',
    serverGone,
    'packages/assistant/src/turn/converse.test.ts: offers no tools of a disabled server, nor of one disabled during the turn',
  ),
  'scenario 4': shown(
    'A note keeps its requests, and runs them only when asked.',
    `${panes}: runs nothing when notes are opened, scrolled, switched, split and the plugin is reloaded`,
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
    `${nasty}: shows a running block, and runs it once, when every card is redrawn at each change`,
    'packages/host/src/executor/executor.test.ts: the same block asked again while it runs joins the running call',
  ),
  'edge case 4': below(
    'Loops.',
    'The rounds of a model are counted where they are made.',
    'packages/assistant/src/turn/limits.test.ts: makes the model answer after ten rounds of tools',
    'packages/assistant/src/turn/limits.test.ts: ends the turn after the same call gave the same answer three times',
  ),
  'edge case 5': shown(
    'Settings that change in the middle.',
    `${nasty}: a call finishes on the settings that it began with, and the next one uses the new ones`,
    serverGone,
    `${serverPage}: reports a change by another program while a server is edited, and keeps what was typed`,
  ),
  'edge case 6': shown(
    'Answers stay while the note is edited.',
    again,
    `${typing}: does not write a result below a request that was changed meanwhile, and says where it is`,
  ),
  'edge case 7': shown(
    'An answer that was edited by hand.',
    `${running}: calls nothing for an answer that was edited by hand, leaves it as it is, and runs the others`,
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
    `${runBlock}: starts nothing without approval`,
    `${approving}: asks about calls that change something, one after the other`,
    `${showResults}: shows nothing in an answer live (%s)`,
  ),
};
