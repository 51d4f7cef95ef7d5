import type { AskedCall, ConversationEvent, TurnEnd } from '@errand/assistant';
import { duration, escapeControls } from '@errand/document/display';
import type { Advice, CallOutcome } from '@errand/host';
import { briefFailure } from '@errand/host';
import { shorten } from '@errand/workspace/text';
import { advisedText } from './advice.ts';
import type { ProgressLine } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** Shows a turn as it happens. */
export type ShowEvent = (event: ConversationEvent) => void;

/** One JSON object on each line. */
export function jsonOutput({ stdout }: Terminal): ShowEvent {
  return (event) => {
    const shown =
      event.kind === 'call-ended' ? { ...event, outcome: asJson(event.outcome) } : event;
    stdout.write(`${JSON.stringify(shown)}\n`);
  };
}

/** The answer on standard output, and what the model does on standard error; a line says what is waited for. */
export function textOutput({ stdout, stderr }: Terminal, line: ProgressLine): ShowEvent {
  let isAtLineStart = true;
  const say = (text: string) => {
    stdout.write(text);
    isAtLineStart = text.endsWith('\n');
  };
  const tell = (message: string, advice: readonly Advice[] = []) => {
    // The model's words and what it does share a screen.
    if (!isAtLineStart) say('\n');
    stderr.write(advisedText({ message, advice }, stderr));
  };
  return (event) => {
    line.end();
    switch (event.kind) {
      case 'round-started':
        return line.show('the model is thinking');
      case 'call-started':
        return line.show(nameOf(event.call));
      case 'text-added':
        return say(escapeControls(event.text));
      case 'call-asked':
        return tell(`→ ${nameOf(event.call)} ${parametersOf(event.call)}`.trimEnd());
      case 'call-ended':
        return tell(
          `  ${nameOf(event.call)}: ${describeOutcome(event.outcome)}`,
          event.outcome.status === 'success' ? [] : event.outcome.error.advice,
        );
      case 'tools-searched':
        return tell(`→ looks for tools: ${event.query} (${event.found.length} found)`);
      case 'notice-given':
        return tell(event.message, event.advice);
      case 'turn-ended':
        if (!isAtLineStart) say('\n');
        return tell(summary(event.end), event.end.advice);
    }
  };
}

function nameOf({ server, tool }: AskedCall): string {
  return server === null ? tool : `${server} ${tool}`;
}

function parametersOf({ parameters }: AskedCall): string {
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
    .replace(/\s+/g, ' ');
  return shorten(text, 200);
}

function describeOutcome(outcome: CallOutcome): string {
  if (outcome.status === 'success') return `answered in ${duration(outcome.durationMs)}`;
  return `failed: ${outcome.error.message}`;
}

function summary({ message, tokens, calls, durationMs }: TurnEnd): string {
  const made = calls === 1 ? '1 call' : `${calls} calls`;
  const used = `${tokens.input} tokens in, ${tokens.output} out, ${made}, ${duration(durationMs)}`;
  return message === null ? `(${used})` : `${message} (${used})`;
}

function asJson(outcome: CallOutcome): object {
  const { status, durationMs, attempts, result } = outcome;
  return {
    status,
    durationMs,
    attempts,
    content: result?.content ?? null,
    contentType: result?.contentType ?? null,
    error: outcome.status === 'success' ? null : briefFailure(outcome.error),
  };
}
