import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import {
  type AIToolContext,
  type Clock,
  type ErrorInfo,
  HostError,
  sortedJson,
  type TokenCount,
} from '@errand/host';
import { explainModelFailure, findRefusedTool } from '../model/model-failure.ts';
import { chooseTools, describeFound, toolsForModel } from '../tools/choose-tools.ts';
import { type NamedTool, nameTools } from '../tools/name-tools.ts';
import { approvalGate } from './approval.ts';
import { askModel, type ToolForModel } from './ask-model.ts';
import type { ConverseOptions, ConversePorts, TurnRequest } from './converse.ts';
import { dataFence } from './data-fence.ts';
import { instructions } from './instructions.ts';
import { logRejectedCall, logRound, type RoundResult } from './log-round.ts';
import { modelMessages, outputOf, resultText, userMessage } from './messages.ts';
import type { ModelAnswer, RequestedCall } from './read-answer.ts';
import { type CallContext, type CallResult, runCall } from './run-call.ts';
import type { Stop, Tally } from './turn-end.ts';
import { RepeatedCalls } from './turn-end.ts';

/** The state of a running turn. */
export class TurnRun {
  readonly #request: TurnRequest;
  readonly #ports: ConversePorts & { readonly clock: Clock };
  readonly #options: ConverseOptions;
  /** Random, so that no foreign text can imitate the end of a fence. */
  readonly #mark = crypto.randomUUID().slice(0, 8);
  readonly #fence = dataFence(this.#mark);
  readonly #repeated = new RepeatedCalls();
  readonly #found: string[] = [];
  readonly #refused = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #messages: LanguageModelV4Message[] = [];
  #text = '';
  #rounds = 0;
  #calls = 0;
  #tokens: TokenCount = { input: 0, output: 0 };

  constructor(
    request: TurnRequest,
    ports: ConversePorts & { readonly clock: Clock },
    options: ConverseOptions,
  ) {
    this.#request = request;
    this.#ports = ports;
    this.#options = options;
  }

  get tally(): Tally {
    const [text, rounds, calls, tokens] = [this.#text, this.#rounds, this.#calls, this.#tokens];
    return { text, rounds, calls, tokens };
  }

  /** Asks the model and makes the calls it requests; undefined when another round follows. */
  async round(number: number, { isLast }: { readonly isLast: boolean }): Promise<Stop | undefined> {
    const { signal } = this.#options;
    const context = await this.#ports.tools(signal);
    for (const problem of context.problems) this.#notice(problem, problem.facts.server);
    const tools = nameTools(context.tools).filter(({ name }) => !this.#refused.has(name));
    const said = await this.#ask(number, tools);
    if ('state' in said) return said;
    const stop = stopOf(said);
    if (stop !== undefined) return stop;
    if (said.calls.length === 0) {
      // A provider that could not read its own model's call lets it try again.
      this.#messages.push(userMessage(unreadableCall));
      return isLast ? { state: 'rounds' } : undefined;
    }
    if (isLast) return { state: 'rounds' };
    // The section may have been bound to another server while the model thought.
    const now = await this.#ports.tools(signal);
    const results = await this.#runCalls(number, said, now, tools);
    signal.throwIfAborted();
    return this.#takeResults(said, results);
  }

  async #ask(round: number, tools: readonly NamedTool[]): Promise<ModelAnswer | Stop> {
    const { model, clock } = this.#ports;
    const { signal, onEvent } = this.#options;
    const started = clock.now();
    const preferences = {
      preferred: new Set(this.#request.preferredServers ?? []),
      found: this.#found,
    };
    const offered = toolsForModel(chooseTools(tools, preferences), this.#fence);
    onEvent({ kind: 'round-started', round, tools: offered.map(({ name }) => name) });
    this.#rounds = round;
    let words = '';
    const onText = (text: string) => {
      words += text;
      this.#text += text;
      onEvent({ kind: 'text-added', text });
    };
    const log = (result: RoundResult) =>
      logRound({ ...this.#request, round, started, words, ...result }, this.#ports);
    try {
      const said = await this.#askWithout(offered, tools, onText);
      const { tokens } = said;
      if (tokens !== undefined) this.#tokens = sum(this.#tokens, tokens);
      log({ status: 'success', ...(tokens && { tokens }) });
      const durationMs = clock.now() - started;
      onEvent({ kind: 'round-ended', round, durationMs, ...(tokens && { tokens }) });
      return said;
    } catch (error) {
      if (signal.aborted || error instanceof HostError) {
        log({ status: 'cancelled' });
        throw error;
      }
      const failure = explainModelFailure(error, model, words !== '');
      log({ status: 'error', message: failure.message });
      return { state: 'failed', failure };
    }
  }

  /** Asks; a tool that the provider does not take is left out, and the others are offered again. */
  async #askWithout(
    offered: readonly ToolForModel[],
    tools: readonly NamedTool[],
    onText: (text: string) => void,
  ): Promise<ModelAnswer> {
    const { model, clock } = this.#ports;
    const { signal } = this.#options;
    const place = this.#request.place?.();
    const facts = { name: model.config.name, mark: this.#mark, ...(place && { note: place.path }) };
    const history = modelMessages(this.#request.history, tools, this.#fence);
    for (let left = offered; ; ) {
      try {
        return await askModel(
          model,
          {
            instructions: instructions(facts),
            messages: [...history, ...this.#messages],
            tools: left,
          },
          { signal, clock, onText, onNotice: (message) => this.#notice({ message }) },
        );
      } catch (error) {
        const refused = findRefusedTool(
          error,
          left.map(({ name }) => name),
        );
        if (refused === undefined) throw error;
        this.#refused.add(refused);
        left = left.filter(({ name }) => name !== refused);
        const message = `${model.config.provider} does not take the schema of ${refused}; that tool is left out.`;
        this.#notice({ message });
      }
    }
  }

  #runCalls(
    number: number,
    { calls, tokens }: ModelAnswer,
    context: AIToolContext,
    tools: readonly NamedTool[],
  ): Promise<readonly CallResult[]> {
    const { host, approver } = this.#ports;
    const { signal, onEvent } = this.#options;
    const contextNow = () => this.#ports.tools(signal);
    const { conversation } = this.#request;
    const round = { conversation, number, ...(tokens && { tokens }) };
    const approve = approvalGate(host, approver);
    const logRejected: CallContext['logRejected'] = (call) =>
      logRejectedCall({ ...this.#request, ...call, round }, this.#ports);
    const made = { context, contextNow, tools, round };
    const callContext = { ...made, logRejected, approve, signal, onEvent };
    return Promise.all(calls.map((requested) => runCall(requested, callContext)));
  }

  async #takeResults(
    { calls, messages }: ModelAnswer,
    results: readonly CallResult[],
  ): Promise<Stop | undefined> {
    const content: LanguageModelV4ToolResultPart[] = [];
    let stop: Stop | undefined;
    for (const [index, result] of results.entries()) {
      const requested = calls[index] as RequestedCall;
      const ids = { toolCallId: requested.id, toolName: requested.name };
      if (result.kind === 'searched') {
        this.#found.push(...result.found.map(({ name }) => name));
        const output = outputOf('success', describeFound(result.found, this.#fence));
        content.push({ type: 'tool-result', ...ids, output });
        continue;
      }
      const { call, outcome } = result;
      this.#calls += 1;
      // Only the person can enable it.
      const isDisabled = outcome.status === 'error' && outcome.error.code === 'server_disabled';
      if (isDisabled) this.#notice(outcome.error, call.server ?? undefined);
      const text = await resultText(outcome, this.#ports.log);
      const status = outcome.status === 'success' ? 'success' : 'error';
      // Our own error messages name tools and quote their schemas, so they are fenced as well.
      const fenced = this.#fence(text, `answer of ${call.server} ${call.tool}`);
      const answer =
        outcome.status === 'success'
          ? fenced
          : `The call failed (${outcome.error.code}).\n${fenced}`;
      content.push({ type: 'tool-result', ...ids, output: outputOf(status, answer) });
      const key = sortedJson([requested.name, requested.input]);
      if (this.#repeated.isTooMany(key, text)) stop ??= { state: 'repeated' };
      if (outcome.status === 'cancelled' && outcome.error.code === 'stopped') {
        stop = { state: 'cancelled', message: outcome.error.message };
      }
    }
    this.#messages.push(...messages, { role: 'tool', content });
    return stop;
  }

  /** Emits each notice once, and at most one for each server. */
  #notice({ message, advice = [] }: Statement, about = message): void {
    if (this.#reported.has(about)) return;
    this.#reported.add(about);
    const given = advice.length > 0 ? { message, advice } : { message };
    this.#options.onEvent({ kind: 'notice-given', ...given });
  }
}

type Statement = Pick<ErrorInfo, 'message' | 'advice'>;

const unreadableCall =
  'Your tool call could not be read: its arguments were not valid JSON. Nothing was called. Write the call again.';

/** Whether what a model said ends the turn. */
function stopOf({ finish, rawFinish, calls }: ModelAnswer): Stop | undefined {
  if (finish === 'length') return { state: 'length' };
  if (finish === 'content-filter') return { state: 'refused' };
  if (calls.length > 0) return undefined;
  if (finish === 'error' && rawFinish === 'MALFORMED_FUNCTION_CALL') return undefined;
  if (finish === 'stop' || finish === 'tool-calls') return { state: 'answered' };
  const message = 'The answer ended early; something may be missing. Ask again to continue.';
  return { state: 'failed', failure: { code: 'answer_cut', message } };
}

function sum(a: TokenCount, b: TokenCount): TokenCount {
  return { input: a.input + b.input, output: a.output + b.output };
}
