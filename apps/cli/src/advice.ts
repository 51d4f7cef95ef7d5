import { type Advice, oneLine } from '@errand/host';
import {
  type AdviceRenderer,
  joinSentences,
  launchParts,
  renderAdvice,
} from '@errand/workspace/advice';
import type { Width } from './mark-lines.ts';
import { messageText } from './message-text.ts';

/** Renders each kind of advice as a command line. */
export const terminalAdvice: AdviceRenderer = {
  'enable-server': ({ server }) => `Enable it with: errand servers enable ${word(server)}`,
  'enable-fixed-server': ({ server }) => `Once fixed, run: errand servers enable ${word(server)}`,
  'enable-any-server': () => 'Enable one with: errand servers enable NAME',
  'test-server': ({ server }) =>
    `See each step, and its last output, with: errand servers test ${word(server)}`,
  'edit-server': ({ server, deploymentType }) =>
    `Check ${launchParts[deploymentType]}, and change what is wrong with: errand servers edit ${word(server)}`,
  'raise-start-timeout': () => 'If it needs longer, raise its "startTimeout" in the settings.',
  'use-container': ({ server }) =>
    `Run it in a container instead: errand servers edit ${word(server)} --sandbox docker`,
  'list-servers': () => 'See them with: errand servers',
  'add-server': () => 'Add one with: errand servers add',
  'import-servers': () => 'Put them into a file of their own and run: errand servers import FILE',
  'review-trust': () => 'Look at it and agree with: errand trust',
  'set-secret': ({ name }) => `Set it with: errand secrets set ${word(name)}`,
  'keep-key': ({ secret }) =>
    `Keep it with: errand secrets set ${word(secret)}, and write "key": "\${secret:${secret}}".`,
  'log-in': ({ server }) => `Log in with: errand servers login ${word(server)}`,
  'set-token': () => 'Or put a token into its "headers" in the settings.',
  'replace-edited-result': () => 'Delete it, or run again with --force to replace it.',
  'run-again': () => 'Run it again with --again.',
  'merge-copy': ({ note, copy }) =>
    `Compare them and keep what you need: diff ${word(note)} ${word(copy)}`,
  'list-sections': ({ note }) => `See its sections with: errand sections ${word(note)}`,
  'list-blocks': ({ note }) => `See its blocks with: errand blocks ${word(note)}`,
  'correct-tool': () => 'Correct the name of the tool.',
  'reset-session': () => 'Reset the session or raise mcpSessionLimit in the settings.',
  'resume-calls': () => 'Let calls run again with: errand resume',
  'allow-more-time': () =>
    'Allow more time: with timeout=60s in the first line of a block, or with --timeout 60 of errand call.',
  'allow-unasked': () => '--yes would allow it.',
  'add-assistant': () => assistantExamples,
  'name-notes-to-watch': () => 'Name the notes to watch: errand watch NOTE...',
  'protect-gateway': () => 'Give it a token (leave out --no-token), or let it listen on 127.0.0.1.',
  'configure-gateway-client': () =>
    'A configuration that holds it is printed by: errand gateway --port PORT --print-config PROGRAM',
};

const assistantExamples = `Add one, for example one of these.
With Ollama, on this machine (first: ollama pull qwen3):
  errand assistants add Local --base-url http://127.0.0.1:11434/v1 --model qwen3
With a key, which is asked for and stored as a secret:
  errand assistants add Claude --provider anthropic --model claude-sonnet-4-5`;

/** Quotes a name as one shell word, since it may come from a file. */
export function word(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${oneLine(name).replaceAll("'", `'\\''`)}'`;
}

/** A message with advice. */
export interface Advised {
  readonly message: string;
  readonly advice?: readonly Advice[];
}

/** Renders a message with its advice; see `messageText` for the lines. */
export function advisedText(
  { message, advice = [] }: Advised,
  output: Width = {},
  indent = '',
): string {
  return linesOf(message, renderAdvice(advice, terminalAdvice), output, indent);
}

/** A statement with steps behind it. A step is a line of ours, so it never joins what may be a stranger's line. */
export function linesOf(
  statement: string,
  steps: readonly string[],
  output: Width = {},
  indent = '',
): string {
  // Names in a step are one line each, so its line breaks are ours.
  const lines = steps.flatMap((step) => step.split('\n'));
  const isOneLine = !/[\r\n]/.test(statement);
  const joined = isOneLine ? lines.slice(0, 1) : [];
  const text = messageText(joinSentences(statement, joined), output, indent);
  return (
    text +
    lines
      .slice(joined.length)
      .map((line) => messageText(line, output, indent))
      .join('')
  );
}
