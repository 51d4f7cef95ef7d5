export interface Flag {
  readonly value?: string;
  readonly description: string;
  readonly required?: boolean;
}

type Handler = (params: Readonly<Record<string, string>>) => string | Promise<string>;

/** Obsidian's own command line: `errand:run file=note.md stale`. */
export class CommandLine {
  readonly #handlers = new Map<string, { flags: Record<string, Flag>; handler: Handler }>();

  register(command: string, flags: Record<string, Flag> | null, handler: Handler): () => void {
    if (this.#handlers.has(command)) throw new Error(`There is a command ${command}.`);
    this.#handlers.set(command, { flags: flags ?? {}, handler });
    return () => this.#handlers.delete(command);
  }

  /** Types a line; a flag without a value is 'true'. */
  async type(line: string): Promise<string> {
    const [command = '', ...words] = line.split(' ');
    const found = this.#handlers.get(command);
    if (found === undefined) throw new Error(`There is no command ${command}.`);
    const params = Object.fromEntries(
      words.map((word) => {
        const [name = '', ...value] = word.split('=');
        if (!(name in found.flags)) throw new Error(`${command} knows no ${name}.`);
        return [name, value.length === 0 ? 'true' : value.join('=')];
      }),
    );
    for (const [name, { required }] of Object.entries(found.flags)) {
      if (required && !(name in params)) throw new Error(`${command} needs ${name}.`);
    }
    return found.handler(params);
  }
}
