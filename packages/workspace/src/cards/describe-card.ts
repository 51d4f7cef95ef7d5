import type { ToolBlock } from '@errand/document';
import { duration, isSaidBelow } from '@errand/document/display';
import { type BlockOutcome, type ErrorInfo, fixedError } from '@errand/host';
import type { RunningBlock } from '../runs/index.ts';

/** A problem as a face shows it; a face may hand in more than that and gets it back. */
export interface CardProblem {
  readonly code: string;
  readonly message: string;
}

/** A block, its running call, and how its last run ended. */
export interface CardSource<Problem extends CardProblem> {
  readonly block: Pick<ToolBlock, 'state' | 'server'> & {
    readonly result: Pick<NonNullable<ToolBlock['result']>, 'status' | 'code' | 'payload'> | null;
  };
  /** Why the block cannot run: a mistake in it, or a section that does not allow it. */
  readonly problem: Problem | null;
  /** What would make a run fail. */
  readonly mistakes: readonly Problem[];
  /** Its server takes no calls, which the card says unless the result below the block does. */
  readonly isServerDisabled: boolean;
  readonly run: Pick<RunningBlock, 'status' | 'waitingFor'> | null;
  readonly end:
    | (Pick<BlockOutcome, 'status' | 'written' | 'durationMs'> & { readonly error: Problem | null })
    | null;
}

/** What a card shows of a block, except for its request and its result. */
export interface CardView<Problem extends CardProblem> {
  readonly state: ToolBlock['state'] | 'running' | 'refused';
  readonly stateText: string;
  readonly tone: 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
  /** An explanation of the state, where it needs one. */
  readonly hint: string | undefined;
  /** How long the last run took, while its result is up to date. */
  readonly took: string | undefined;
  /** The most important first; what the note says below the block is left out. */
  readonly problems: readonly {
    readonly problem: Problem | ErrorInfo;
    /** `neutral`: the outcome of what a person did or decided. */
    readonly tone: 'neutral' | 'warn' | 'bad';
  }[];
  readonly action: CardAction;
}

/** What the button of a card does. */
export interface CardAction {
  readonly kind: 'run' | 'replace' | 'cancel';
  readonly label: string;
  readonly isEnabled: boolean;
  /** The block has no result that is up to date. */
  readonly isPrimary: boolean;
}

/** Decides what a card shows, from the note and its runs; never from what it showed before. */
export function describeCard<Problem extends CardProblem>(
  source: CardSource<Problem>,
): CardView<Problem> {
  const { block, run, end } = source;
  const isDone = run === null && end?.status === 'success' && block.state === 'fresh';
  return {
    ...(run === null ? restingState(source) : runningState(run)),
    took: isDone ? duration(end.durationMs) : undefined,
    problems: run === null ? problemsOf(source) : [],
    action: actionOf(source),
  };
}

type State = Pick<CardView<CardProblem>, 'state' | 'stateText' | 'tone' | 'hint'>;

function restingState({ block, problem, end }: CardSource<CardProblem>): State {
  const { state } = block;
  if (problem?.code === 'settings_invalid') {
    return { state: 'refused', stateText: 'Cannot run', tone: 'bad', hint: undefined };
  }
  if (problem !== null && state !== 'invalid') {
    return { state: 'refused', stateText: 'Not allowed here', tone: 'warn', hint: undefined };
  }
  const [stateText, tone, hint] = resting[state];
  if (end === null || end.written) return { state, stateText, tone, hint };
  if (end.status === 'cancelled') {
    return { state, stateText: 'Stopped', tone: 'neutral', hint: 'Nothing was written.' };
  }
  const isKept = end.status === 'refused' && state === 'edited';
  const failure = isKept ? undefined : failures[end.status];
  if (failure === undefined) return { state, stateText, tone, hint };
  return { state: 'failed', stateText: failure, tone: 'bad', hint: undefined };
}

const failures: Readonly<Partial<Record<BlockOutcome['status'], string>>> = {
  error: 'Failed',
  refused: 'Did not run',
  timeout: 'Took too long',
};

const resting: Readonly<Record<ToolBlock['state'], readonly [string, State['tone'], string?]>> = {
  new: ['Never run', 'neutral'],
  fresh: ['Up to date', 'good', 'The answer below belongs to this request.'],
  stale: ['Out of date', 'warn', 'The request was changed since this answer came.'],
  edited: ['Edited by hand', 'accent', 'Somebody changed the answer in the note.'],
  failed: ['Failed', 'bad', 'The error below says why.'],
  invalid: ['Cannot run', 'bad'],
};

function runningState({ status, waitingFor }: NonNullable<CardSource<CardProblem>['run']>): State {
  const stateText = status === 'pending' ? waits[waitingFor ?? 'turn'] : 'Running';
  return { state: 'running', stateText, tone: 'accent', hint: undefined };
}

const waits = {
  server: 'Waiting for its server',
  approval: 'Needs approval',
  turn: 'Waiting for its turn',
} as const;

/** Codes of what a person did or decided. */
const neutralCodes: ReadonlySet<string> = new Set([
  'cancelled',
  'stopped',
  'output_edited',
  'already_done',
]);

function problemsOf<Problem extends CardProblem>(
  source: CardSource<Problem>,
): CardView<Problem>['problems'] {
  const { block, problem } = source;
  const last = lastError(source);
  // A call that was refused says more about it: also why the host has given the server up.
  const disabled = last?.code === 'server_disabled' ? undefined : disabledServer(source);
  const mistakes = disabled === undefined ? source.mistakes : [disabled, ...source.mistakes];
  const all = [
    ...(problem === null ? [] : [{ problem, tone: 'bad' as const }]),
    ...mistakes.map((mistake) => ({ problem: mistake, tone: 'warn' as const })),
    ...(last === null
      ? []
      : [
          {
            problem: last,
            tone: neutralCodes.has(last.code) ? ('neutral' as const) : ('bad' as const),
          },
        ]),
  ];
  return all.filter((each) => !isSaidBelow(each.problem, block.result));
}

/** How the last run failed, where nothing else says it: not in the note, and still true. */
function lastError<Problem extends CardProblem>({
  problem,
  end,
  isServerDisabled,
}: CardSource<Problem>): Problem | null {
  if (end === null || end.written || end.error?.code === problem?.code) return null;
  return end.error?.code === 'server_disabled' && !isServerDisabled ? null : end.error;
}

function disabledServer({ block, isServerDisabled }: CardSource<CardProblem>) {
  if (!isServerDisabled || block.server === null || block.result?.code === 'server_disabled') {
    return undefined;
  }
  return fixedError('server_disabled', { server: block.server });
}

function actionOf({
  block: { state },
  problem,
  isServerDisabled,
  run,
}: CardSource<CardProblem>): CardAction {
  if (run !== null) return { kind: 'cancel', label: 'Cancel', isEnabled: true, isPrimary: false };
  const isEnabled = problem === null && !isServerDisabled;
  if (state === 'edited') {
    return { kind: 'replace', label: 'Replace the edited result', isEnabled, isPrimary: false };
  }
  const label = state === 'new' || state === 'invalid' ? 'Run' : 'Run again';
  return { kind: 'run', label, isEnabled, isPrimary: state === 'new' || state === 'stale' };
}
