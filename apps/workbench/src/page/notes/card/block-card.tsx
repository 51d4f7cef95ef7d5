import { duration, isSaidBelow } from '@errand/document/display';
import { useCallback, useState } from 'preact/hooks';
import type { Block } from '../../../contract.ts';
import { inPageWords } from '../../model/in-page-words.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CallCard } from '../../parts/call-card/call-card.tsx';
import { Parameters } from '../../parts/call-card/parameters.tsx';
import { ProgressBar } from '../../parts/call-card/progress-bar.tsx';
import type { Addresses } from '../../parts/content/render-markdown.ts';
import { Icon } from '../../parts/icon.tsx';
import { Elapsed } from '../../parts/time.tsx';
import type { Card } from '../model/block-cards.ts';
import type { OpenNote } from '../model/open-note.ts';
import { describeCard } from './describe-card.ts';
import { EditedDialog } from './edited-dialog.tsx';
import { ResultView } from './result-view.tsx';

export interface BlockCardProps {
  readonly opened: OpenNote;
  readonly blockKey: string;
  readonly addresses: Addresses;
}

/** A tool block: what it asks whom, how that stands, and the answer. */
export function BlockCard({ opened, blockKey, addresses }: BlockCardProps) {
  const [isAsking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const card = opened.cards.get(blockKey).value;
  if (card === undefined) return null;
  const { block, run } = card;
  const start = () => {
    if (block.state === 'edited') setAsking(true);
    else void opened.run({ keys: [blockKey] });
  };
  return (
    <CallCard
      label={`Tool block: ${nameOf(block)}`}
      server={block.server}
      tool={block.tool}
      head={
        <>
          <State card={card} />
          {run === null ? (
            <RunButton block={block} onClick={start} />
          ) : (
            <Button isSmall icon="stop" onClick={() => void opened.cancel([blockKey])}>
              Cancel
              <span class="visually-hidden"> {nameOf(block)}</span>
            </Button>
          )}
        </>
      }
    >
      <Parameters params={block.params} />
      <Problems card={card} />
      {run?.status === 'executing' && run.progress !== null && <ProgressBar {...run.progress} />}
      {block.result !== null && (
        <ResultView
          result={block.result}
          server={block.server}
          isFolded={block.display === 'collapsed'}
          addresses={addresses}
        />
      )}
      {isAsking && <EditedDialog opened={opened} blockKey={blockKey} onClose={close} />}
    </CallCard>
  );
}

function State({ card }: { readonly card: Card }) {
  const { words, tone, isLive, hint } = describeCard(card);
  const { block, run, end } = card;
  return (
    <span class="call-state" role="status">
      <Badge tone={tone} isLive={isLive} {...(hint !== undefined && { title: hint })}>
        {words}
      </Badge>
      {run?.startedAt != null && (
        <span class="small soft" aria-hidden="true">
          <Elapsed since={run.startedAt} />
        </span>
      )}
      {run === null && end?.status === 'success' && block.state === 'fresh' && (
        <span class="small soft">{duration(end.durationMs)}</span>
      )}
    </span>
  );
}

function RunButton({ block, onClick }: { readonly block: Block; readonly onClick: () => void }) {
  const isAgain = block.result !== null;
  return (
    <Button
      isSmall
      icon={isAgain ? 'redo' : 'play'}
      look={block.state === 'new' || block.state === 'stale' ? 'primary' : 'plain'}
      disabled={block.problem !== null}
      onClick={onClick}
    >
      {isAgain ? 'Re-run' : 'Run'}
      <span class="visually-hidden"> {nameOf(block)}</span>
    </Button>
  );
}

/** Why it will not run, would fail, or did not end well without a word in the note. */
function Problems({ card: { block, run, end } }: { readonly card: Card }) {
  const isTold = end !== null && run === null && !end.written && end.error !== null;
  const said = isTold && end.error?.code !== block.problem?.code ? end.error : null;
  const stops = [block.problem, ...block.mistakes].filter(
    (problem) => problem !== null && !isSaidBelow(problem, block.result),
  );
  if (stops.length === 0 && said === null) return null;
  return (
    <ul class="call-problems small">
      {stops.map(
        (problem) =>
          problem && (
            <Problem
              key={problem.message}
              problem={problem}
              tone={problem === block.problem ? 'bad' : 'warn'}
            />
          ),
      )}
      {said && <Problem problem={said} tone={own.has(said.code) ? 'calm' : 'bad'} />}
    </ul>
  );
}

/** What a person did or decided is no failure. */
const own: ReadonlySet<string> = new Set(['cancelled', 'stopped', 'output_edited']);

interface Said {
  readonly code: string;
  readonly message: string;
}

interface ProblemProps {
  readonly problem: Said;
  readonly tone: 'calm' | 'warn' | 'bad';
}

function Problem({ problem: { code, message }, tone }: ProblemProps) {
  return (
    <li class={tone}>
      {tone !== 'calm' && <Icon name="warning" />}
      <span>
        {inPageWords(message)} <code class="soft">{code}</code>
      </span>
    </li>
  );
}

function nameOf({ server, tool }: Block): string {
  return `${server ?? 'no server'} ${tool ?? 'no tool'}`;
}
