import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Notice } from '../../contract.ts';

export interface Toast extends Omit<Notice, 'server'> {
  readonly id: number;
}

const most = 5;

/** What is told in passing. Information leaves by itself; what went wrong stays until it is closed. */
export class Toasts {
  readonly #shown = signal<readonly Toast[]>([]);
  readonly shown: ReadonlySignal<readonly Toast[]> = this.#shown;
  #last = 0;

  show(notice: Omit<Notice, 'server'>): void {
    this.#last += 1;
    const toast = { ...notice, id: this.#last };
    const others = this.#shown.value.filter(({ message }) => message !== notice.message);
    this.#shown.value = [...others, toast].slice(-most);
    if (notice.level === 'info') setTimeout(() => this.close(toast.id), 6_000);
  }

  tell(message: string): void {
    this.show({ level: 'info', message, detail: null });
  }

  fail({ message, lastWords }: Failure): void {
    this.show({ level: 'error', message, detail: lastWords ?? null });
  }

  close(id: number): void {
    this.#shown.value = this.#shown.value.filter((toast) => toast.id !== id);
  }
}
