/** How long a resource waits for the next test file of this process. */
const idleMs = 3_000;

/** What all tests of a process use together; it is started by the first, and ends when nobody has used it for a while. */
export class SharedResource<Value extends AsyncDisposable> {
  readonly #start: () => Promise<Value>;
  #started: Promise<Value> | undefined;
  #users = 0;
  #closing: NodeJS.Timeout | undefined;

  constructor(start: () => Promise<Value>) {
    this.#start = start;
  }

  /** Uses it until the stack is disposed. */
  async use(stack: AsyncDisposableStack): Promise<Value> {
    clearTimeout(this.#closing);
    this.#users += 1;
    stack.defer(() => this.#leave());
    this.#started ??= this.#start();
    return this.#started;
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#closing = setTimeout(() => {
      const left = this.#started;
      this.#started = undefined;
      void left?.then((value) => value[Symbol.asyncDispose]());
    }, idleMs);
  }
}
