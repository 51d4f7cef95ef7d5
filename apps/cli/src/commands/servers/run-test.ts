import {
  defaultRetryPlan,
  type ServerConfig,
  type ServerTest,
  systemClock,
  type TestStep,
  testServer,
} from '@errand/host';
import { toolCount } from '@errand/workspace/servers';
import { advisedText } from '../../advice.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { messageText } from '../../message-text.ts';
import type { OpenVault } from '../../open-vault.ts';
import { seconds } from '../../seconds.ts';

/** Tests a server and shows each step with its time; on failure also the cause and the server's last output. */
export async function runTest(
  server: ServerConfig,
  { connectors }: OpenVault,
  { json }: CommonOptions,
  { terminal, signal }: CommandContext,
): Promise<ServerTest> {
  const { stderr } = terminal;
  const say = (text: string) => {
    if (!json) stderr.write(messageText(text, stderr, '  '));
  };
  const ports = { connectors, clock: systemClock, plan: defaultRetryPlan };
  const test = await testServer(server, ports, {
    signal,
    onStep: (step) => say(describeStep(step)),
  });
  signal.throwIfAborted();
  const { error, tools } = test;
  if (error === undefined) say(`${toolCount(tools.length)}`);
  else {
    if (!json) stderr.write(advisedText(error, stderr, '  '));
    const { lastOutput } = error.facts;
    if (lastOutput) say(`Last output:\n${lastOutput.trimEnd()}`);
  }
  return test;
}

function describeStep({ name, detail, durationMs, isDone }: TestStep): string {
  const what = detail === undefined ? words[name] : `${words[name]} ${detail}`;
  return `${isDone ? 'ok    ' : 'FAILED'} ${what} (${seconds(durationMs)})`;
}

const words: Readonly<Record<TestStep['name'], string>> = {
  start: 'start',
  pull: 'pull the image',
  handshake: 'handshake',
  tools: 'list the tools',
  ping: 'health check',
};
