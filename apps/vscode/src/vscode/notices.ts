import type { Notice, Notifier } from '@errand/host';
import { noticeText } from '@errand/workspace/advice';
import { type LogOutputChannel, window } from 'vscode';
import { describeThrown, vscodeAdvice } from '../text/advice.ts';

/** Shows notices as messages of the editor, and keeps them in the log of the extension. */
export class Notices implements Notifier {
  readonly #log: LogOutputChannel;
  /** Messages on the screen: the same one is not shown beside itself. */
  readonly #shown = new Set<string>();

  constructor(log: LogOutputChannel) {
    this.#log = log;
  }

  notify({ level, ...notice }: Notice): void {
    const text = noticeText(notice, vscodeAdvice);
    this.#log[level === 'warning' ? 'warn' : level](text);
    if (this.#shown.has(text)) return;
    this.#shown.add(text);
    void shows[level](text).then(
      () => this.#shown.delete(text),
      () => this.#shown.delete(text),
    );
  }

  /** Shows what went wrong with something that a person asked for. */
  readonly fail = (error: unknown): void => {
    this.notify({ level: 'error', message: describeThrown(error) });
  };
}

const shows = {
  info: (text: string) => window.showInformationMessage(text),
  warning: (text: string) => window.showWarningMessage(text),
  error: (text: string) => window.showErrorMessage(text),
} as const;
