import type { Turn, TurnEnd } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { describeUsage, nextStep } from './describe-turn.ts';
import type { TurnViewProps } from './turn-view.tsx';

export interface TurnFootProps extends Pick<TurnViewProps, 'onAsk'> {
  readonly turn: Turn;
  readonly end: TurnEnd;
}

/** The end of a turn: its error, its usage, and how to continue. */
export function TurnFoot({ turn, end, onAsk }: TurnFootProps) {
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
