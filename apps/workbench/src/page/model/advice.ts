import type { Advice } from '@errand/host';
import {
  type AdviceRenderer,
  type Failure,
  failureText,
  launchParts,
  renderAdvice,
} from '@errand/workspace/advice';

/** Text for each kind of advice, naming the page that helps. */
const pageAdvice: AdviceRenderer = {
  'enable-server': () => 'Enable it in Servers.',
  'enable-fixed-server': () => 'Once fixed, enable it in Servers.',
  'enable-any-server': () => 'Enable one in Servers.',
  'test-server': () => 'See each step, and its last output, by testing it in Servers.',
  'edit-server': ({ deploymentType }) =>
    `Check ${launchParts[deploymentType]}, and change what is wrong in Servers.`,
  'raise-start-timeout': () => 'If it needs longer, raise its "startTimeout" in the settings file.',
  'use-container': () => 'Run it in a container instead: add it in Servers as an image.',
  'list-servers': () => 'See them in Servers.',
  'add-server': () => 'Add one in Servers.',
  'import-servers': () => 'Paste them in Servers instead.',
  'review-trust': () => 'Look at it and agree in Servers; for a hook, in Hooks.',
  'set-secret': ({ name }) => `Set the secret "${name}" in Settings.`,
  'keep-key': ({ secret }) =>
    `Keep it as a secret in Settings, and write "key": "\${secret:${secret}}".`,
  'log-in': ({ server }) => `Log in with: errand servers login ${server}`,
  'set-token': () => 'Or give it a header with a token in Servers.',
  'replace-edited-result': () =>
    'Run the block by itself: you are asked whether to keep or to replace it.',
  'run-again': () => 'Press Run again to call it once more.',
  'merge-copy': ({ copy }) => `Open "${copy}", move what you need into the note, and delete it.`,
  'list-blocks': () => 'Read the note again.',
  'list-sections': () => 'Read the note again.',
  'correct-tool': () => 'Open the server in Servers to see the tools it has.',
  'reset-session': () => 'Reset the session in Calls, or raise the limit in Settings.',
  'resume-calls': () => 'Resume the calls, then run it again.',
  'allow-more-time': () =>
    'Run it again, or allow more time: in Settings for all servers, in Servers for one.',
  'allow-unasked': () => 'Ask in the page, where you can allow it.',
  'add-assistant': () => 'Set one up in Assistant, or in Settings.',
  'name-notes-to-watch': () => 'Changes by other programs may be shown late. Reload the page.',
  'protect-gateway': () => 'Give the gateway a token, or let it listen on 127.0.0.1.',
  'configure-gateway-client': () => 'Use the configuration that holds its token.',
};

/** The text of a failure or notice, including its advice. */
export function inPage(failure: Pick<Failure, 'message' | 'advice'>): string {
  return failureText(failure, pageAdvice);
}

/** The texts of advice. */
export function adviceInPage(advice: readonly Advice[]): readonly string[] {
  return renderAdvice(advice, pageAdvice);
}
