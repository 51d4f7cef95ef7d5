import { plainValue, type ToolBlock } from '@errand/document';
import type { BlockOutcome, Progress } from '@errand/host';
import { type CardProblem, type CardView, describeCard } from '@errand/workspace/cards';
import type { RunningBlock } from '@errand/workspace/runs';
import { firstLine } from '../words/first-line.ts';
import { inObsidianWords } from '../words/in-obsidian-words.ts';

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
  readonly isCalm: boolean;
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
  isDisabled = false,
): RequestCard {
  const { problems, tone, ...card } = describeCard<CardProblem>({
    block,
    problem: block.problem ?? block.refusal,
    mistakes: isDisabled ? [disabled(block)] : [],
    isServerDisabled: isDisabled,
    run: run ?? null,
    end: end ?? null,
  });
  const [first] = problems;
  return {
    ...card,
    server: block.server ?? 'mcp',
    tool: block.tool ?? '',
    params: paramsOf(block),
    since: run?.since,
    progress: run?.progress ? describeProgress(run.progress) : undefined,
    message: first && inObsidianWords(first.problem.message),
    isCalm: first?.tone === 'calm',
  };
}

function disabled({ server }: ToolBlock): CardProblem {
  const message = `Server ${server} is disabled. Enable it with: errand servers enable ${server}`;
  return { code: 'server_disabled', message };
}

function describeProgress({ progress, total, message }: Progress): CardProgress {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  const text = message === undefined ? share : firstLine(message);
  return { value: progress, max: total, text };
}

function paramsOf({ params }: ToolBlock): RequestCard['params'] {
  const values = plainValue(params) as Readonly<Record<string, unknown>>;
  return Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
