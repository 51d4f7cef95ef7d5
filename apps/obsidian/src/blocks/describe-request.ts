import { plainValue, type ToolBlock } from '@errand/document';
import type { BlockOutcome, ErrorInfo, Progress } from '@errand/host';
import type { RequestServer } from '@errand/workspace/cards';
import {
  blockProblem,
  type CardProblem,
  type CardView,
  describeCard,
} from '@errand/workspace/cards';
import type { RunningBlock } from '@errand/workspace/runs';
import { describeProgress, firstLine } from '@errand/workspace/text';
import { inObsidian } from '../text/advice.ts';

/** What a card shows of a request. */
export interface RequestCard extends Omit<CardView<CardProblem>, 'problems' | 'tone'> {
  readonly server: string;
  readonly tool: string;
  readonly params: readonly (readonly [name: string, value: string])[];
  /** Since when it runs. */
  readonly since: number | undefined;
  readonly progress: CardProgress | undefined;
  /** What is wrong, and what to do. */
  readonly message: string | undefined;
  /** The message tells the outcome of what a person did. */
  readonly isNeutral: boolean;
}

export interface CardProgress {
  readonly value: number;
  /** Undefined when the server does not say how much there is to do. */
  readonly max: number | undefined;
  readonly text: string;
}

/** The card of a request, with room for one message. */
export function describeRequest(
  block: ToolBlock,
  run: RunningBlock | undefined,
  end: BlockOutcome | undefined,
  { isDisabled, mistakes }: RequestServer = { isDisabled: false, mistakes: [] },
): RequestCard {
  const server = block.server ?? 'mcp';
  const { problems, tone, ...card } = describeCard<ErrorInfo>({
    block,
    problem: blockProblem(block),
    mistakes,
    isServerDisabled: isDisabled,
    run: run ?? null,
    end: end ?? null,
  });
  const [first] = problems;
  return {
    ...card,
    server,
    tool: block.tool ?? '',
    params: paramsOf(block),
    since: run?.since,
    progress: run?.progress ? cardProgress(run.progress) : undefined,
    message: first && inObsidian(first.problem),
    isNeutral: first?.tone === 'neutral',
  };
}

function cardProgress(made: Progress): CardProgress {
  const { progress, total, message } = made;
  const text = message === undefined ? {} : { message: firstLine(message) };
  return { value: progress, max: total, text: describeProgress({ ...made, ...text }) };
}

function paramsOf({ params }: ToolBlock): RequestCard['params'] {
  const values = plainValue(params) as Readonly<Record<string, unknown>>;
  return Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
