import { createLogUpdate } from 'log-update';
import type { Terminal } from './terminal.ts';

/** One line that says what is going on, on a terminal; elsewhere nothing. */
export interface ProgressLine extends Disposable {
  show(text: string): void;
  clear(): void;
}

export function progressLine({ stderr }: Pick<Terminal, 'stderr'>): ProgressLine {
  const update = stderr.isTTY ? createLogUpdate(stderr as NodeJS.WriteStream) : undefined;
  const clear = () => update?.clear();
  return { show: (text) => update?.(text), clear, [Symbol.dispose]: clear };
}
