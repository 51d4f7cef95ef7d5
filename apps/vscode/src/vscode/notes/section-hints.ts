import { mayBeBound, sectionBadges } from '@errand/workspace/sections';
import {
  EventEmitter,
  InlayHint,
  type InlayHintsProvider,
  languages,
  Position,
  type Range,
  type TextDocument,
} from 'vscode';
import type { OpenExtension } from '../open-extension.ts';
import type { Vaults } from '../vaults.ts';
import { markdownFiles } from './markdown-files.ts';

/** Behind a bound heading: the server that its section may call, and why. */
export class SectionHints implements InlayHintsProvider {
  readonly #vaults: Vaults;
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changed.event;

  private constructor(vaults: Vaults) {
    this.#vaults = vaults;
  }

  static add({ context, vaults }: OpenExtension): void {
    const hints = new SectionHints(vaults);
    const tell = () => hints.#changed.fire();
    vaults.follow(({ vault }) => [
      vault.host.events.subscribe(({ kind }) => {
        if (kind === 'settings-changed') tell();
      }),
    ]);
    context.subscriptions.push(
      languages.registerInlayHintsProvider(markdownFiles, hints),
      vaults.onDidChange(tell),
      hints.#changed,
    );
  }

  async provideInlayHints(document: TextDocument, range: Range): Promise<InlayHint[]> {
    const note = await this.#vaults.noteAt(document.uri);
    if (note === undefined) return [];
    const { session, path } = note;
    const context = session.vault.host.servers.noteContext(path);
    const text = document.getText();
    if (!mayBeBound(text, context)) return [];
    return sectionBadges(session.blocks.scan(path, text), context).flatMap((badge) => {
      const line = document.lineAt(Math.min(badge.line, document.lineCount) - 1);
      if (!range.contains(line.range.end)) return [];
      const at = new Position(line.lineNumber, line.range.end.character);
      const hint = new InlayHint(at, badge.text);
      hint.paddingLeft = true;
      hint.tooltip = badge.isBroken
        ? `Calls are refused here: ${badge.text}`
        : `Server: ${badge.text}`;
      return [hint];
    });
  }
}
