import { HostError } from '@errand/host';
import {
  type AdviceRenderer,
  type Failure,
  failureText,
  launchParts,
} from '@errand/workspace/advice';
import type { RunEndWords } from '@errand/workspace/runs';

/** Renders each kind of advice as an action in VS Code. */
export const vscodeAdvice: AdviceRenderer = {
  'enable-server': () => 'Enable it in the view Servers.',
  'enable-fixed-server': () => 'Once fixed, enable it in the view Servers.',
  'enable-any-server': () => 'Enable one in the view Servers.',
  'test-server': () => 'See each step, and its last output, by testing it in the view Servers.',
  'edit-server': ({ deploymentType }) =>
    `Check ${launchParts[deploymentType]}, and change what is wrong with “Errand: Open Settings”.`,
  'raise-start-timeout': () => 'If it needs longer, raise its "startTimeout" in the settings file.',
  'use-container': () => 'Run it in a container instead: add it to the settings as an image.',
  'list-servers': () => 'See them in the view Servers.',
  'add-server': () => 'Add one with “Errand: Open Settings” or “Errand: Import Servers”.',
  'import-servers': () => 'Write them into the settings file instead: “Errand: Open Settings”.',
  'review-trust': () =>
    'Run one of its blocks, or choose “Review and Agree” in the view Servers, and look at what it would start.',
  'set-secret': ({ name }) => `Set the secret "${name}" with “Errand: Set Secret”.`,
  'keep-key': () => 'Keep the key with “Errand: Set Secret”, and name it in the settings.',
  'log-in': () => tokenInstead,
  'set-token': () => tokenInstead,
  'replace-edited-result': () =>
    'Delete it, or choose “Replace the edited result” above its block.',
  'run-again': () => 'Choose “Run again” above its block, or “Errand: Run Note Again”.',
  'merge-copy': ({ copy }) => `Open “${copy}”, move what you need into the note, and delete it.`,
  'list-blocks': () => 'Read the note again.',
  'list-sections': () => 'Read the note again.',
  'correct-tool': () => 'Correct the tool in the block.',
  'reset-session': () =>
    'Choose “Errand: Reset Session Limits”, or raise "mcpSessionLimit" in the settings.',
  'resume-calls': () => 'Nothing runs until you choose “Errand: Resume Executions”.',
  'allow-more-time': () =>
    'Run the block again, or allow more time: with timeout=60s in the first line of the block, or in the settings.',
  'allow-unasked': () => 'Set "approval" of its server to "allow" in the settings.',
  'add-assistant': () =>
    'Add one to "assistants" in the settings: a model of Ollama on this computer, or one of a provider with a key.',
  'name-notes-to-watch': () => 'Changes by other programs may be shown late.',
  'protect-gateway': () => 'Give the gateway a token, or let it listen on 127.0.0.1.',
  'configure-gateway-client': () => 'Use the configuration that holds its token.',
};

const tokenInstead =
  'Put a token into its "headers" in the settings: logging in needs Errand\'s command line.';

/** Renders a failure with VS Code's advice. */
export function inVscode(failure: Pick<Failure, 'message' | 'advice'>): string {
  return failureText(failure, vscodeAdvice);
}

/** Renders anything thrown, with VS Code's advice. */
export function describeThrown(error: unknown): string {
  if (error instanceof HostError) return inVscode(error);
  return error instanceof Error ? error.message : String(error);
}

/** What VS Code says of a run that has ended. */
export const runEndWords: RunEndWords = {
  say: inVscode,
  runAgain: 'choose “Errand: Run Note Again” to run all again.',
};
