import { Button, Icon } from '@errand/parts/controls';
import { useMemo } from 'preact/hooks';
import type { Turn, TurnEnd, TurnPart } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { Elapsed } from '../parts/time.tsx';
import { CallView, type CallViewProps } from './call-view.tsx';
import { LiveMarkdown } from './live-markdown.tsx';
import './turn-view.css';
import { describeTools, describeUsage, nextStep } from './describe-turn.ts';

export interface TurnViewProps {
  readonly turn: Turn;
  readonly onAnswer: CallViewProps['onAnswer'];
  /** Retries or continues the turn; only for the last turn. */
  readonly onAsk?: ((question: string | null) => void) | undefined;
}

/** A question with the text and calls that answer it. */
export function TurnView({ turn, onAnswer, onAsk }: TurnViewProps) {
  const { question, parts, end } = turn;
  return (
    <article class="turn">
      {question !== '' && (
        <div class="turn-question">
          <h2 class="visually-hidden">You asked</h2>
          <p>{question}</p>
        </div>
      )}
      <div class="turn-answer">
        <Who turn={turn} />
        {parts.map((part, index) => (
          <KeptPart
            key={keyOf(part, index)}
            part={part}
            isLive={end === null && index === parts.length - 1}
            onAnswer={onAnswer}
          />
        ))}
        {end === null ? <Going turn={turn} /> : <TurnFoot turn={turn} end={end} onAsk={onAsk} />}
      </div>
    </article>
  );
}

function Who({ turn: { assistant, model, tools } }: { readonly turn: Turn }) {
  return (
    <header class="turn-who small">
      <h3>{assistant}</h3>
      {model !== null && <span class="soft">{model}</span>}
      {tools.length > 0 && (
        <details class="soft">
          <summary>{describeTools(tools)}</summary>
          <p>{tools.join(', ')}</p>
        </details>
      )}
    </header>
  );
}

interface PartViewProps extends Pick<TurnViewProps, 'onAnswer'> {
  readonly part: TurnPart;
  readonly isLive: boolean;
}

/** Memoized: long answers are not rendered again while text streams in below. */
function KeptPart({ part, isLive, onAnswer }: PartViewProps) {
  return useMemo(
    () => <PartView part={part} isLive={isLive} onAnswer={onAnswer} />,
    [part, isLive, onAnswer],
  );
}

function PartView({ part, isLive, onAnswer }: PartViewProps) {
  switch (part.kind) {
    case 'text':
      return <LiveMarkdown text={part.text} isLive={isLive} />;
    case 'call':
      return <CallView call={part.call} onAnswer={onAnswer} />;
    case 'search':
      return (
        <p class="turn-remark small soft">
          <Icon name="search" />
          <span>{`Searched for tools: ${part.query} (${part.found} found)`}</span>
        </p>
      );
    case 'notice':
      return (
        <p class="turn-remark small">
          <Icon name="warning" />
          <span>{inPage(part)}</span>
        </p>
      );
  }
}

/** The activity of the running turn. */
function Going({ turn: { round, parts, startedAt } }: { readonly turn: Turn }) {
  const last = parts.at(-1);
  if (last?.kind === 'call' && last.call.durationMs === null) return null;
  return (
    <p class="turn-going small soft" aria-hidden="true">
      <span class="turn-dots" />
      {round === 0 ? 'Preparing tools' : last?.kind === 'text' ? 'Writing' : 'Thinking'}
      {startedAt !== null && <Elapsed since={startedAt} />}
    </p>
  );
}

function keyOf(part: TurnPart, index: number): string {
  return part.kind === 'call' ? part.call.id : `${part.kind} ${index}`;
}

interface TurnFootProps extends Pick<TurnViewProps, 'onAsk'> {
  readonly turn: Turn;
  readonly end: TurnEnd;
}

/** The end of a turn: its error, its usage, and how to continue. */
function TurnFoot({ turn, end, onAsk }: TurnFootProps) {
  const step = onAsk === undefined ? undefined : nextStep(turn);
  const cost = describeUsage(turn, end);
  return (
    <footer class="turn-foot">
      {end.message !== null && (
        <p class={`turn-end small ${end.state === 'failed' ? 'bad' : 'warn'}`}>
          <Icon name={end.state === 'cancelled' ? 'stop' : 'warning'} />
          <span>
            {inPage({ ...end, message: end.message })}{' '}
            {end.code !== null && <code>{end.code}</code>}
          </span>
        </p>
      )}
      <div class="turn-last">
        {step === 'continue' && (
          <Button isSmall icon="play" onClick={() => onAsk?.('Go on.')}>
            Continue
          </Button>
        )}
        {step === 'again' && (
          <Button isSmall icon="redo" onClick={() => onAsk?.(null)}>
            Try again
          </Button>
        )}
        {cost !== '' && <span class="small soft">{cost}</span>}
      </div>
    </footer>
  );
}
