import type { CallSource } from '@errand/host';
import type { Tone } from '@errand/parts/controls';

/** Labels of the callers, by the source of a call. */
export const sourceLabels: Readonly<Record<CallSource, string>> = {
  'user-codeblock': 'A note',
  'ai-autonomous': 'A model',
  command: 'The command line',
  gateway: 'Another program',
  hook: 'A hook',
  mail: 'A mail',
  workbench: 'A test in Servers',
};

/** Labels and tones of the outcomes, by the status of a past call. */
export const outcomes: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  success: { label: 'Succeeded', tone: 'good' },
  error: { label: 'Failed', tone: 'bad' },
  timeout: { label: 'Timed out', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};

/** Advice for the error code of a past call; undefined where the message is enough. */
export function adviceFor(code: string): string | undefined {
  return advice[code];
}

const advice: Readonly<Record<string, string>> = {
  server_unknown: 'Add the server in Servers, or correct its name in the block.',
  server_disabled: 'Enable the server in Servers, then run the block again.',
  server_unavailable: 'Open the server in Servers: its last output shows why. Then press Try now.',
  tool_not_found: 'Open the server in Servers to see the tools it has.',
  invalid_params: 'Correct the parameters. The tool’s form in Servers shows what it takes.',
  yaml_invalid: 'Correct the block in the source view; the line is underlined there.',
  block_invalid: 'Correct the block in the source view; the line is underlined there.',
  section_forbids: 'Change the section’s server beside the note, or the server in the block.',
  timeout: 'Run it again, or allow more time: in Settings for all servers, in Servers for one.',
  cancelled: 'Run it again to get an answer.',
  stopped: 'Resume the calls, then run it again.',
  session_limit: 'Reset the session in Calls, or raise the limit in Settings.',
  tool_failed: 'The tool reported an error. Its answer says why.',
  result_too_large: 'Ask for less: a filter, a page, or fewer fields.',
  approval_denied: 'Allow the tool in Servers if a model may use it without asking.',
  docker_unavailable: 'Start Docker, then try the server again in Servers.',
  image_missing:
    'Check the image’s name in Servers, and whether you are logged in to its registry.',
  port_in_use: 'End the other program, or choose another port in Servers.',
  container_exited: 'See the server’s last output in Servers.',
  secret_missing: 'Set the secret in Settings.',
  untrusted: 'Allow the server to start, in Servers.',
  login_required: 'Log in with: errand servers login',
};
