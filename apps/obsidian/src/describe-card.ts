import { plainValue, type ToolBlock } from '@errand/document';
import type { BlockRun } from '@errand/host';
import type { RunningBlock } from './block-runs.ts';
import { inObsidianWords } from './in-obsidian-words.ts';

/** What a card shows of a request. */
export interface CardView {
  readonly server: string;
  readonly tool: string;
  readonly params: readonly (readonly [name: string, value: string])[];
  /** A word for the style sheet. */
  readonly state: ToolBlock['state'] | 'running';
  readonly stateText: string;
  /** What is wrong, and what to do. */
  readonly message: string | undefined;
  /** What the one button does. */
  readonly action: { readonly kind: 'run' | 'replace' | 'cancel'; readonly label: string };
  readonly canAct: boolean;
}

/** Decides what a card shows, from the note and from what runs; never from what it showed before. */
export function describeCard(
  block: ToolBlock,
  run: RunningBlock | undefined,
  end: BlockRun | undefined,
  isDisabled = false,
): CardView {
  const state = run === undefined ? block.state : 'running';
  const problem = block.problem ?? block.refusal ?? (isDisabled ? disabled(block) : null);
  const message = problem?.message ?? (run === undefined ? end?.error?.message : undefined);
  return {
    server: block.server ?? 'mcp',
    tool: block.tool ?? '',
    params: paramsOf(block),
    state,
    stateText: run === undefined ? restingTexts[block.state] : runningText(run),
    message: message && inObsidianWords(message),
    action: actionFor(block, run),
    canAct: run !== undefined || (block.state !== 'invalid' && !isDisabled),
  };
}

function disabled({ server }: ToolBlock): { readonly message: string } {
  return { message: `Server ${server} is disabled. Enable it in the settings of Errand.` };
}

const restingTexts: Readonly<Record<ToolBlock['state'], string>> = {
  new: 'Never run',
  fresh: 'Up to date',
  stale: 'Changed since it ran',
  edited: 'Result edited by hand',
  failed: 'Failed',
  invalid: 'Not a valid request',
};

function runningText({ state, progress }: RunningBlock): string {
  if (state.status === 'pending') return state.waitingFor === 'server' ? 'Starting' : 'Waiting';
  if (progress === undefined) return 'Running';
  const share = progress.total === undefined ? '' : ` of ${progress.total}`;
  return `Running: ${progress.message ?? ''} ${progress.progress}${share}`.replace('  ', ' ');
}

function actionFor({ state }: ToolBlock, run: RunningBlock | undefined): CardView['action'] {
  if (run !== undefined) return { kind: 'cancel', label: 'Cancel' };
  if (state === 'edited') return { kind: 'replace', label: 'Replace the edited result' };
  return { kind: 'run', label: state === 'new' || state === 'invalid' ? 'Run' : 'Run again' };
}

function paramsOf({ params }: ToolBlock): CardView['params'] {
  const values = plainValue(params) as Readonly<Record<string, unknown>>;
  return Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
