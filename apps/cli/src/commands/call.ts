import { textParams } from '@errand/document';
import {
  briefFailure,
  type CallOutcome,
  contentText,
  HostError,
  oneLine,
  type ToolExecutionResult,
  typedParameters,
} from '@errand/host';
import { isRecord } from '@errand/wire';
import { findServer } from '@errand/workspace/servers';
import { describeProgress } from '@errand/workspace/text';
import { Command, InvalidArgumentError } from 'commander';
import { callTimeout } from '../call-timeout.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { commandSession } from '../command-session.ts';
import { codeOfFailure, type ExitCode, exitCode } from '../exit-code.ts';
import { markLines } from '../mark-lines.ts';
import { openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { progressLine } from '../progress-line.ts';
import type { Terminal } from '../terminal.ts';
import type { TerminalNotifier } from '../terminal-notifier.ts';

interface CallCommandOptions extends CommonOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly timeout?: number;
}

/** `errand call`: one tool, once. */
export function callCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('call')
      .description('Call one tool and print its answer.')
      .argument('<server>', 'a server of this vault')
      .argument('<tool>', 'one of its tools')
      .argument('[name=value...]', "parameters; each becomes what the tool's schema asks for")
      .option('--params <json>', 'parameters as a JSON object', jsonObject)
      .option('--timeout <seconds>', 'how long it may take, 1 to 300', callTimeout),
  )
    .addHelpText(
      'after',
      `
Examples:
  errand call vault list_notes directory=Projects
  errand call vault search_notes --params '{"query": "stove"}' --json
  errand call camera snapshot > picture.png`,
    )
    .action(async (server, tool, pairs: string[], options: CallCommandOptions) => {
      context.end(await call(server, tool, pairs, options, context));
    });
}

async function call(
  serverName: string,
  toolName: string,
  pairs: readonly string[],
  options: CallCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const given = readPairs(pairs);
  using line = await progressLine(terminal);
  const person = personAt(terminal, line);
  await using vault = await openVault(options, context, person);
  const server = findServer(vault.host, serverName);
  const name = `${server.name} ${toolName}`;
  line.show(name);
  const outcome = await vault.host.execute(
    {
      id: crypto.randomUUID(),
      serverId: server.id,
      toolName,
      parameters: options.params ?? {},
      source: 'command',
      sessionId: commandSession(terminal),
      ...(options.timeout !== undefined && { timeout: options.timeout }),
    },
    {
      signal,
      typeParameters: (parameters, schema) => ({
        ...parameters,
        ...typedParameters(textParams(given), schema),
      }),
      onProgress: (progress) => line.show(`${name}: ${describeProgress(progress)}`),
    },
  );
  line.end();
  if (options.json) terminal.stdout.write(`${JSON.stringify(asJson(outcome), undefined, 2)}\n`);
  else print(outcome, terminal, person.notifier);
  return codeOf(outcome);
}

function print(
  outcome: CallOutcome,
  { stdout, rawOutput = stdout, stderr }: Terminal,
  notifier: TerminalNotifier,
): void {
  if (outcome.status !== 'success') {
    notifier.tell(outcome.error);
    const lastOutput = outcome.error.facts?.lastOutput;
    if (lastOutput)
      stderr.write(`Last output of the server:\n${markLines(lastOutput.trimEnd(), stderr)}`);
    return;
  }
  const { result } = outcome;
  const image = result.contentType === 'image' ? result.attachments?.[0] : undefined;
  if (image === undefined) {
    rawOutput.write(`${printedText(result, stdout.isTTY === true).replace(/\n$/, '')}\n`);
    const count = result.attachments?.length ?? 0;
    if (count > 0)
      stderr.write(
        `${count === 1 ? 'The attachment is' : 'Attachments are'} only in the output of --json.\n`,
      );
  } else if (stdout.isTTY)
    stderr.write(`An image (${oneLine(image.mimeType)}). Write it to a file with: > FILE\n`);
  else rawOutput.write(Buffer.from(image.data, 'base64'));
}

/** People get JSON laid out; other programs get the text as the server sent it. */
function printedText({ content, raw }: ToolExecutionResult, isTerminal: boolean): string {
  const [only, ...others] = raw.content;
  const isSent = !isTerminal && raw.structuredContent == null && others.length === 0;
  return isSent && typeof only?.text === 'string' ? only.text : contentText(content);
}

function asJson(outcome: CallOutcome) {
  const { status, durationMs, result } = outcome;
  return {
    status,
    content: result?.content ?? null,
    contentType: result?.contentType ?? null,
    structuredContent: result?.raw.structuredContent ?? null,
    parts: result?.raw.content ?? null,
    durationMs,
    error: outcome.status === 'success' ? null : briefFailure(outcome.error),
  };
}

function codeOf(outcome: CallOutcome): ExitCode {
  if (outcome.status === 'success') return exitCode.ok;
  if (outcome.status === 'cancelled') return exitCode.cancelled;
  return codeOfFailure(outcome.error.code);
}

function readPairs(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals > 0) return [pair.slice(0, equals), pair.slice(equals + 1)];
      throw new HostError(
        'block_invalid',
        `"${pair}" is missing "${equals === 0 ? 'name=' : '=value'}".`,
      );
    }),
  );
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (error) {
    throw new InvalidArgumentError(`Not valid JSON (${(error as Error).message}).`);
  }
  throw new InvalidArgumentError('Write an object, such as {"directory": "Projects"}.');
}
