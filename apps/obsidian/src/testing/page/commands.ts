import { MarkdownView } from './markdown-view.ts';
import type { Workspace } from './workspace.ts';

/** A command as a plugin gives it; the first of these callbacks that it has is the one that counts. */
export interface Command {
  readonly id: string;
  readonly name: string;
  readonly hotkeys?: readonly unknown[];
  editorCheckCallback?(checking: boolean, editor: object, view: MarkdownView): unknown;
  editorCallback?(editor: object, view: MarkdownView): unknown;
  checkCallback?(checking: boolean): unknown;
  callback?(): unknown;
}

/** The command palette. */
export class Commands {
  readonly #workspace: Workspace;
  readonly #commands = new Map<string, Command>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  add(command: Command): () => void {
    if (this.#commands.has(command.id)) throw new Error(`There is a command ${command.id}.`);
    if (command.hotkeys !== undefined) throw new Error(`${command.id} takes hotkeys.`);
    this.#commands.set(command.id, command);
    return () => this.#commands.delete(command.id);
  }

  get isEmpty(): boolean {
    return this.#commands.size === 0;
  }

  /** The names a person can choose from right now. */
  names(): readonly string[] {
    return [...this.#commands.values()]
      .filter((command) => this.#offer(command, true))
      .map(({ name }) => name);
  }

  /** Chooses a command by its name; one that is not offered right now cannot be chosen. */
  run(name: string): void {
    const command = [...this.#commands.values()].find((each) => each.name === name);
    if (command === undefined || !this.#offer(command, true)) {
      throw new Error(`No command "${name}" is offered.`);
    }
    this.#offer(command, false);
  }

  /** Whether a command is offered; runs it unless it is only asked. */
  #offer(command: Command, checking: boolean): boolean {
    const { editor, view } = this.#editing();
    if (command.editorCheckCallback !== undefined) {
      if (editor === undefined || view === undefined) return false;
      return command.editorCheckCallback(checking, editor, view) === true;
    }
    if (command.editorCallback !== undefined) {
      if (editor === undefined || view === undefined) return false;
      if (!checking) command.editorCallback(editor, view);
      return true;
    }
    if (command.checkCallback !== undefined) return command.checkCallback(checking) === true;
    if (command.callback === undefined) return false;
    if (!checking) command.callback();
    return true;
  }

  /** A note that is open for reading has no editor that commands could use. */
  #editing(): { readonly editor?: object; readonly view?: MarkdownView } {
    const view = this.#workspace.getActiveViewOfType(MarkdownView);
    return view?.getMode() === 'source' ? { editor: view.editor, view } : {};
  }
}
