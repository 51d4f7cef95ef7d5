import { duration } from '@errand/document/display';
import { type ServerConfig, type ServerTest, testServer } from '@errand/host';
import { describeStep, toolCount } from '@errand/workspace/servers';
import { advisedText } from '../../advice.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { messageText } from '../../message-text.ts';
import type { OpenVault } from '../../open-vault.ts';

/** Tests a server and shows each step with its time; on failure also the cause and the server's last output. */
export async function runTest(
  server: ServerConfig,
  vault: OpenVault,
  { json }: CommonOptions,
  { terminal, signal }: CommandContext,
): Promise<ServerTest> {
  const { stderr } = terminal;
  // Painted after the message was escaped.
  const say = (text: string, paint = (line: string) => line) => {
    if (!json) stderr.write(paint(messageText(text, stderr, '  ')));
  };
  const test = await testServer(
    server,
    { connectors: vault.connectors },
    {
      signal,
      onStep: (step) => {
        const mark = step.isDone ? 'ok' : 'FAILED';
        const tone = step.isDone ? 'good' : 'bad';
        const text = `${mark.padEnd(6)} ${describeStep(step)} (${duration(step.durationMs)})`;
        say(text, (line) => line.replace(mark, () => terminal.paintError?.(tone, mark) ?? mark));
      },
    },
  );
  signal.throwIfAborted();
  const { error, tools, unusedRules } = test;
  if (error === undefined) {
    say(`${toolCount(tools.length)}`);
    if (unusedRules !== undefined) say(describeUnused(unusedRules));
  } else {
    if (!json) stderr.write(advisedText(error, stderr, '  '));
    const { lastOutput } = error.facts;
    if (lastOutput) say(`Last output:\n${lastOutput.trimEnd()}`);
  }
  return test;
}

const shownNames = 20;

function describeUnused({ rules, names }: NonNullable<ServerTest['unusedRules']>): string {
  const fit = rules.length === 1 ? 'fits' : 'fit';
  const has = names.slice(0, shownNames).join(', ');
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
  return `${rules.map((rule) => `"${rule}"`).join(', ')} ${fit} none of its tools: ${has || '(none)'}${more}`;
}
