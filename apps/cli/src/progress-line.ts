import { oneLine } from '@errand/host';
import type { Terminal } from './terminal.ts';

/** Something that is drawn again and again where a person may be asked. */
export interface Drawing {
  /** Takes it away until its next frame, so that something else can be written. */
  clear(): void;
  /** Pauses the drawing until disposed: the next frame would erase the prompt. */
  hold(): Disposable;
}

/** One line that says what is going on and for how long, on a terminal; elsewhere nothing. */
export interface ProgressLine extends Drawing, Disposable {
  show(text: string): void;
  /** Takes it away for good. */
  end(): void;
}

export async function progressLine({ stderr }: Pick<Terminal, 'stderr'>): Promise<ProgressLine> {
  if (!stderr.isTTY) {
    const hold = () => ({ [Symbol.dispose]() {} });
    return { show() {}, clear() {}, hold, end() {}, [Symbol.dispose]() {} };
  }
  // It takes as long to load as the rest of a short command.
  const { createLogUpdate } = await import('log-update');
  const update = createLogUpdate(stderr as NodeJS.WriteStream);
  const since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let shown = '';
  let holds = 0;
  const draw = () => {
    if (holds > 0) return;
    const passed = Math.floor((performance.now() - since) / 1000);
    update(passed === 0 ? shown : `${shown}  ${passed} s`);
  };
  const takeAway = () => {
    update.clear();
    // Restores the cursor: a prompt may follow.
    update.done();
  };
  const end = () => {
    clearInterval(timer);
    timer = undefined;
    takeAway();
  };
  return {
    show(text) {
      shown = oneLine(text);
      timer ??= setInterval(draw, 1000);
      draw();
    },
    clear: () => update.clear(),
    hold() {
      holds++;
      takeAway();
      return { [Symbol.dispose]: () => void holds-- };
    },
    end,
    [Symbol.dispose]: end,
  };
}
