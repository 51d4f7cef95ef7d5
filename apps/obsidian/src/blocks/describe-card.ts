import { plainValue, type ToolBlock } from '@errand/document';
import { duration, isSaidBelow } from '@errand/document/display';
import type { BlockOutcome } from '@errand/host';
import type { RunningBlock } from '@errand/workspace/runs';
import { firstLine } from '../words/first-line.ts';
import { inObsidianWords } from '../words/in-obsidian-words.ts';

/** What a card shows of a request. */
export interface CardView {
  readonly server: string;
  readonly tool: string;
  readonly params: readonly (readonly [name: string, value: string])[];
  /** A word for the style sheet. */
  readonly state: ToolBlock['state'] | 'running' | 'refused';
  readonly stateText: string;
  /** What that means, where it may not be plain. */
  readonly hint: string | undefined;
  /** Since when it runs. */
  readonly since: number | undefined;
  /** How long the last run took. */
  readonly took: string | undefined;
  readonly progress: CardProgress | undefined;
  /** What is wrong, and what to do. */
  readonly message: string | undefined;
  /** What a person did or decided is no failure. */
  readonly isCalm: boolean;
  /** What the one button does. */
  readonly action: CardAction;
}

export interface CardProgress {
  readonly value: number;
  /** Nothing when the server does not say how much there is to do. */
  readonly max: number | undefined;
  readonly text: string;
}

export interface CardAction {
  readonly kind: 'run' | 'replace' | 'cancel';
  readonly label: string;
  readonly isEnabled: boolean;
}

/** Decides what a card shows, from the note and from what runs; never from what it showed before. */
export function describeCard(
  block: ToolBlock,
  run: RunningBlock | undefined,
  end: BlockOutcome | undefined,
  isDisabled = false,
): CardView {
  const shown = {
    server: block.server ?? 'mcp',
    tool: block.tool ?? '',
    params: paramsOf(block),
    action: actionFor(block, run, isDisabled),
  };
  if (run !== undefined) return { ...shown, ...running(run) };
  const told = messageFor(block, end, isDisabled);
  return {
    ...shown,
    ...restingState(block, end),
    since: undefined,
    took:
      end?.status === 'success' && block.state === 'fresh' ? duration(end.durationMs) : undefined,
    progress: undefined,
    message: told && inObsidianWords(told.message),
    isCalm: told !== undefined && calm.has(told.code),
  };
}

type State = Pick<CardView, 'state' | 'stateText' | 'hint'>;

function restingState(
  { state, problem, refusal }: ToolBlock,
  end: BlockOutcome | undefined,
): State {
  if (problem === null && refusal !== null) {
    return { state: 'refused', stateText: 'Not allowed here', hint: undefined };
  }
  const isTold = end !== undefined && !end.written && end.error !== null && state !== 'edited';
  if (isTold && end.status !== 'cancelled' && end.status !== 'skipped') {
    return { state: 'failed', stateText: failed[end.status] ?? 'Failed', hint: undefined };
  }
  const [stateText, hint] = resting[state];
  return { state, stateText, hint };
}

const failed: Readonly<Partial<Record<BlockOutcome['status'], string>>> = {
  refused: 'Did not run',
  timeout: 'Took too long',
};

const resting: Readonly<Record<ToolBlock['state'], readonly [string, string?]>> = {
  new: ['Never run'],
  fresh: ['Up to date', 'The answer below belongs to this request.'],
  stale: ['Out of date', 'The request was changed since this answer came.'],
  edited: ['Edited by hand', 'Somebody changed the answer in the note.'],
  failed: ['Failed', 'The error below says why.'],
  invalid: ['Cannot run'],
};

const calm: ReadonlySet<string> = new Set(['cancelled', 'stopped', 'output_edited']);

interface Told {
  readonly code: string;
  readonly message: string;
}

/** What stands in the note already is not said again. */
function messageFor(
  block: ToolBlock,
  end: BlockOutcome | undefined,
  isDisabled: boolean,
): Told | undefined {
  const last = end !== undefined && !end.written ? end.error : null;
  const all = [block.problem ?? block.refusal, isDisabled ? disabled(block) : null, last];
  return all.find((told) => told !== null && !isSaidBelow(told, block.result)) ?? undefined;
}

function disabled({ server }: ToolBlock): Told {
  const message = `Server ${server} is disabled. Enable it with: errand servers enable ${server}`;
  return { code: 'server_disabled', message };
}

function running({
  since,
  status,
  waitingFor,
  progress,
}: RunningBlock): Omit<CardView, 'server' | 'tool' | 'params' | 'action'> {
  const isWaiting = status === 'pending';
  return {
    state: 'running',
    stateText: isWaiting ? waits[waitingFor ?? 'turn'] : 'Running',
    hint: undefined,
    since,
    took: undefined,
    progress:
      progress === null
        ? undefined
        : {
            value: progress.progress,
            max: progress.total,
            text:
              progress.message === undefined
                ? shareOf(progress.progress, progress.total)
                : firstLine(progress.message),
          },
    message: undefined,
    isCalm: false,
  };
}

const waits = {
  server: 'Waiting for its server',
  approval: 'Waiting for your yes',
  turn: 'Waiting for its turn',
} as const;

function shareOf(progress: number, total: number | undefined): string {
  return total === undefined ? String(progress) : `${progress} of ${total}`;
}

function actionFor(
  { state }: ToolBlock,
  run: RunningBlock | undefined,
  isDisabled: boolean,
): CardAction {
  if (run !== undefined) return { kind: 'cancel', label: 'Cancel', isEnabled: true };
  if (state === 'edited') {
    return { kind: 'replace', label: 'Replace the edited result', isEnabled: !isDisabled };
  }
  if (state === 'invalid') return { kind: 'run', label: 'Run', isEnabled: false };
  return { kind: 'run', label: state === 'new' ? 'Run' : 'Run again', isEnabled: !isDisabled };
}

function paramsOf({ params }: ToolBlock): CardView['params'] {
  const values = plainValue(params) as Readonly<Record<string, unknown>>;
  return Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
