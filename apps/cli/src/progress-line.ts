import { oneLine } from '@errand/host';
import { createLogUpdate } from 'log-update';
import type { Terminal } from './terminal.ts';

/** One line that says what is going on and for how long, on a terminal; elsewhere nothing. */
export interface ProgressLine extends Disposable {
  show(text: string): void;
  /** Takes it away until its next second, so that something else can be written. */
  clear(): void;
  /** Takes it away for good. */
  end(): void;
}

export function progressLine({ stderr }: Pick<Terminal, 'stderr'>): ProgressLine {
  if (!stderr.isTTY) return { show() {}, clear() {}, end() {}, [Symbol.dispose]() {} };
  const update = createLogUpdate(stderr as NodeJS.WriteStream);
  const since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let shown = '';
  const draw = () => {
    const passed = Math.floor((performance.now() - since) / 1000);
    update(passed === 0 ? shown : `${shown}  ${passed} s`);
  };
  const end = () => {
    clearInterval(timer);
    timer = undefined;
    update.clear();
    // Gives the cursor back: somebody may be asked something next.
    update.done();
  };
  return {
    show(text) {
      shown = oneLine(text);
      timer ??= setInterval(draw, 1000);
      draw();
    },
    clear: () => update.clear(),
    end,
    [Symbol.dispose]: end,
  };
}
