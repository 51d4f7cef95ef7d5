import { type Advice, adviceForCode, type ErrorInfo, HostError, type Notice } from '@errand/host';
import {
  type AdviceRenderer,
  type Failure,
  failureText,
  launchParts,
  renderAdvice,
  urgentFailure,
} from '@errand/workspace/advice';
import type { RunEndWords } from '@errand/workspace/runs';

/** Renders each kind of advice as an action in Obsidian. */
export const obsidianAdvice: AdviceRenderer = {
  'enable-server': () => 'Enable it in the side view of Errand.',
  'enable-fixed-server': () => 'Once fixed, enable it in the side view of Errand.',
  'enable-any-server': () => 'Enable one in the side view of Errand.',
  'test-server': () =>
    'See each step, and its last output, by testing it in the side view of Errand.',
  'edit-server': ({ deploymentType }) =>
    `Check ${launchParts[deploymentType]}, and change what is wrong in the settings of Errand.`,
  'raise-start-timeout': () => 'If it needs longer, raise its "startTimeout" in the settings file.',
  'use-container': () =>
    'Run it in a container instead: add it in the settings of Errand as an image.',
  'list-servers': () => 'See them in the settings of Errand.',
  'add-server': () => 'Add one in the settings of Errand.',
  'import-servers': () => 'Paste them in the settings of Errand instead.',
  'review-trust': () =>
    'Press Run on one of its blocks, or Agree in the settings of Errand, and look at what it would start.',
  'set-secret': ({ name }) => `Set the secret "${name}" in the settings of Errand, under Secrets.`,
  'keep-key': () => 'Choose one of the secrets, or type the key to keep it as one.',
  'log-in': () => tokenInstead,
  'set-token': () => tokenInstead,
  'replace-edited-result': () =>
    'Delete it, or press “Replace the edited result” on the card of its block.',
  'run-again': () => 'Press “Run again” on its card, or run the command “Errand: Run note again”.',
  'merge-copy': ({ copy }) => `Open “${copy}”, move what you need into the note, and delete it.`,
  'list-blocks': () => 'Read the note again.',
  'list-sections': () => 'Read the note again.',
  'correct-tool': () => 'Correct the tool in the block.',
  'reset-session': () =>
    'Run the command “Errand: Reset session limits”, or raise the limit in the settings of Errand.',
  'resume-calls': () => 'Nothing runs until you run the command “Errand: Resume executions”.',
  'allow-more-time': () =>
    'Run the block again, or allow more time: with timeout=60s in the first line of the block, or in the settings of Errand.',
  'allow-unasked': () => 'Set "approval" of its server to "allow" in the settings of Errand.',
  'add-assistant': () =>
    'Add one in the settings of Errand: a model of Ollama on this computer, or one of a provider with a key.',
  'name-notes-to-watch': () => 'Changes by other programs may be shown late.',
  'protect-gateway': () => 'Give the gateway a token, or let it listen on 127.0.0.1.',
  'configure-gateway-client': () => 'Use the configuration that holds its token.',
};

const tokenInstead =
  'Put a token into its "headers" in the settings of Errand: logging in needs Errand\'s command line.';

/** Renders a failure with Obsidian's advice. */
export function inObsidian(failure: Pick<Failure, 'message' | 'advice'>): string {
  return failureText(failure, obsidianAdvice);
}

/** What Obsidian says of a run that has ended. */
export const runEndWords: RunEndWords = {
  say: inObsidian,
  runAgain: 'run the command “Errand: Run note again” to run all again.',
};

/** Renders anything thrown, with Obsidian's advice. */
export function describeThrown(error: unknown): string {
  if (error instanceof HostError) return inObsidian(error);
  return error instanceof Error ? error.message : String(error);
}

/** Renders advice for Obsidian. */
export function obsidianAdviceLines(advice: readonly Advice[]): readonly string[] {
  return renderAdvice(advice, obsidianAdvice);
}

/** Advice for an error code stored in a note, which keeps no advice itself. */
export function adviceForErrorCode(code: string): string {
  // No step in Obsidian names the server.
  return obsidianAdviceLines(adviceForCode(code, { server: '' })).join(' ');
}

/** What a person is told at once about a call that could not be made as it should, with Obsidian's advice. */
export function urgentNotice(error: ErrorInfo): Notice | undefined {
  return urgentFailure(error, obsidianAdvice);
}
