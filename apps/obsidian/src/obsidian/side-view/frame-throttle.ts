/** Redraws at most once for each animation frame. */
export class FrameThrottle {
  readonly #el: HTMLElement;
  readonly #draw: () => void;
  #drawing: { readonly win: Window; readonly id: number } | undefined;

  constructor(el: HTMLElement, draw: () => void) {
    this.#el = el;
    this.#draw = draw;
  }

  soon(): void {
    if (this.#drawing !== undefined) return;
    const win = this.#el.win;
    const id = win.requestAnimationFrame(() => {
      this.#drawing = undefined;
      this.#draw();
    });
    this.#drawing = { win, id };
  }

  stop(): void {
    if (this.#drawing !== undefined) this.#drawing.win.cancelAnimationFrame(this.#drawing.id);
    this.#drawing = undefined;
  }
}
