import { duration } from '@errand/document/display';
import { type ErrorInfo, systemClock } from '@errand/host';
import {
  blockProblem,
  type CardAction,
  describeCard,
  requestServer,
} from '@errand/workspace/cards';
import type { KeyedBlock } from '@errand/workspace/runs';
import { describeProgress } from '@errand/workspace/text';
import {
  CodeLens,
  type CodeLensProvider,
  type Command,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  type TextEditor,
  window,
} from 'vscode';
import { Redraws } from '../../notes/redraws.ts';
import { inVscode } from '../../text/advice.ts';
import type { OpenExtension } from '../open-extension.ts';
import type { NoteOfVault, Vaults } from '../vaults.ts';
import { markdownFiles } from './markdown-files.ts';
import { shownBlock } from './shown-block.ts';

/** Above each block: what can be done with it, and how it is. */
export class BlockLenses implements CodeLensProvider<BlockLens> {
  readonly #vaults: Vaults;
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #redraws = new Redraws({
    tell: () => this.#changed.fire(),
    isSeen: () => window.visibleTextEditors.some(isNote),
    clock: systemClock,
  });

  private constructor(vaults: Vaults) {
    this.#vaults = vaults;
  }

  /** Follows runs and servers; while something runs, its time is shown. */
  static add({ context, vaults }: OpenExtension): void {
    const lenses = new BlockLenses(vaults);
    const tell = () => lenses.#redraws.change();
    vaults.follow(({ runs, vault }) => [
      runs.subscribe(tell),
      vault.host.events.subscribe(({ kind }) => {
        if (!kind.startsWith('call') && !kind.startsWith('session')) tell();
      }),
    ]);
    const ticking = setInterval(() => {
      if (vaults.sessions.some(({ runs }) => runs.count() > 0)) tell();
    }, 1_000);
    context.subscriptions.push(
      languages.registerCodeLensProvider(markdownFiles, lenses),
      vaults.onDidChange(tell),
      lenses.#changed,
      {
        dispose() {
          lenses.#redraws[Symbol.dispose]();
          clearInterval(ticking);
        },
      },
    );
  }

  async provideCodeLenses(document: TextDocument): Promise<BlockLens[]> {
    this.#redraws.asked();
    const finding = this.#vaults.noteAt(document.uri);
    // The editor asks less often after a slow answer, so opening a vault is not waited for: it is told when it is open.
    if (this.#vaults.openNoteAt(document.uri) === undefined) return [];
    const note = await finding;
    if (note === undefined) return [];
    return note.session.blocks.of(note.path, document.getText()).flatMap((keyed) => {
      const { line } = keyed.block;
      const range = new Range(line - 1, 0, line - 1, 0);
      return (['action', 'state'] as const).map((part) => new BlockLens(range, note, keyed, part));
    });
  }

  /** Only those on the screen are described: a note may have hundreds. */
  resolveCodeLens(lens: BlockLens): BlockLens {
    lens.command = commandOf(lens);
    this.#redraws.drawn();
    return lens;
  }
}

function isNote({ document }: TextEditor): boolean {
  return languages.match(markdownFiles, document) > 0;
}

class BlockLens extends CodeLens {
  readonly note: NoteOfVault;
  readonly keyed: KeyedBlock;
  readonly part: 'action' | 'state';

  constructor(range: Range, note: NoteOfVault, keyed: KeyedBlock, part: 'action' | 'state') {
    super(range);
    this.note = note;
    this.keyed = keyed;
    this.part = part;
  }
}

type Problem = Pick<ErrorInfo, 'code' | 'message' | 'advice'>;

function commandOf({ note, keyed, part }: BlockLens): Command {
  const { session, path, uri } = note;
  const { runs, vault } = session;
  const { key, block } = keyed;
  const { isDisabled, mistakes } = requestServer(block, vault.host);
  const run = runs.runningBlock(path, key) ?? null;
  const card = describeCard<Problem>({
    block,
    problem: blockProblem(block),
    mistakes,
    isServerDisabled: isDisabled,
    run,
    end: runs.lastOutcome(path, key) ?? null,
  });
  if (part === 'action') {
    return actionOf(card.action, [uri.toString(), key, shownBlock(note, keyed)]);
  }
  const details = [
    card.stateText,
    ...(run === null ? [] : [duration(Date.now() - run.since)]),
    ...(run?.progress ? [describeProgress(run.progress)] : []),
    ...(card.took === undefined ? [] : [card.took]),
  ];
  const [worst] = card.problems;
  return {
    title: `$(${icons[card.state]}) ${details.join(' · ')}`,
    tooltip: worst === undefined ? (card.hint ?? '') : inVscode(worst.problem),
    command: worst === undefined ? '' : 'workbench.actions.view.problems',
  };
}

function actionOf({ kind, label, isEnabled }: CardAction, args: unknown[]): Command {
  const [icon, command] = actions[kind];
  if (!isEnabled) return { title: `$(circle-slash) ${label}`, command: '' };
  return { title: `$(${icon}) ${label}`, command, arguments: args };
}

const actions = {
  run: ['play', 'errand.runBlock'],
  replace: ['replace', 'errand.replaceResult'],
  cancel: ['stop-circle', 'errand.cancelBlock'],
} as const;

const icons = {
  new: 'circle-outline',
  fresh: 'check',
  stale: 'history',
  edited: 'edit',
  failed: 'error',
  invalid: 'error',
  running: 'sync~spin',
  refused: 'circle-slash',
} as const;
