/** A passing message; all of them stay on the page here until they are hidden, so that they can be read. */
export class Notice {
  readonly containerEl = document.createElement('div');
  readonly messageEl = document.createElement('div');

  constructor(message: string | DocumentFragment, duration?: number) {
    this.containerEl.className = 'notice';
    this.messageEl.className = 'notice-message';
    // 0 stays until somebody hides it.
    this.containerEl.dataset.duration = String(duration ?? 'default');
    this.containerEl.append(this.messageEl);
    this.setMessage(message);
    // A click anywhere dismisses it.
    this.containerEl.addEventListener('click', () => this.hide());
    container().append(this.containerEl);
    notices.push(this.messageEl.textContent ?? '');
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.replaceChildren(message);
    return this;
  }

  hide(): void {
    this.containerEl.remove();
  }
}

const notices: string[] = [];

/** The first text of every notice, including hidden ones. */
export function shownNotices(): readonly string[] {
  return notices;
}

function container(): HTMLElement {
  const known = document.querySelector<HTMLElement>('body > .notice-container');
  if (known !== null) return known;
  const made = document.createElement('div');
  made.className = 'notice-container';
  document.body.append(made);
  return made;
}
