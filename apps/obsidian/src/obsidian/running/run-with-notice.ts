import type { BlockChoice } from '@errand/host';
import { describeRunEnd, serversOf } from '@errand/workspace/runs';
import { Notice, type TFile } from 'obsidian';
import { runEndWords } from '../../text/advice.ts';
import { ensureTrust } from '../ask-trust.ts';
import { notices } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { type ChosenNote, chooseBlocksOf, runBlocksOf } from './run-note.ts';

/** Runs blocks of a note, with `again` also what is done and could act a second time; a notice shows how far it is, ends it when asked, and says how it ended. */
export async function runWithNotice(
  open: OpenPlugin,
  file: TFile,
  choice: BlockChoice,
  again = false,
): Promise<void> {
  const asked = await chooseBlocksOf(open, file, choice);
  if (!(await ensureTrust(open, serversOf(open.vault, asked.chosen)))) return;
  // The note may have been changed while the person was asked.
  const note = await chooseBlocksOf(open, file, choice);
  if (note.chosen.length === 0) return notices.notify({ level: 'info', ...nothing(file, choice) });
  const notice = new RunNotice(open, note);
  try {
    const runs = await runBlocksOf(open, note, {
      force: false,
      again,
      onEnd: () => notice.count(),
    });
    notices.notify(describeRunEnd(file.path, runs, runEndWords));
  } finally {
    notice.hide();
  }
}

function nothing({ path }: TFile, { stale }: BlockChoice) {
  return stale
    ? {
        message: `Nothing to run: every block of ${path} is up to date.`,
        detail: 'Run the command “Errand: Run note again” to run them all again.',
      }
    : {
        message: `${path} has no blocks to run.`,
        detail:
          'Write one: a code block with the name of a server as its language, and tool: below.',
      };
}

/** Stays on the screen as long as the run takes. */
class RunNotice {
  readonly #note: ChosenNote;
  readonly #raised: string;
  readonly #notice = new Notice('', 0);
  readonly #words: HTMLElement;
  #ended = 0;

  constructor({ runs, vault }: OpenPlugin, note: ChosenNote) {
    this.#note = note;
    const { path } = note.note;
    const { mcpSessionLimit: limit } = vault.host.servers.settings;
    const wanted = runs.limitFor(path, note.chosen.length);
    const isOver = wanted !== undefined && wanted > limit;
    this.#raised = isOver ? `\nMore than the limit of ${limit}: raised for this run.` : '';
    const { messageEl } = this.#notice;
    this.#words = messageEl.createDiv({ cls: 'errand-run-words' });
    const cancel = messageEl.createEl('button', { text: 'Cancel', cls: 'errand-run-cancel' });
    cancel.addEventListener('click', () => {
      runs.cancel(
        note.note.path,
        note.chosen.map(({ key }) => key),
      );
    });
    this.#show();
  }

  count(): void {
    this.#ended += 1;
    this.#show();
  }

  hide(): void {
    this.#notice.hide();
  }

  #show(): void {
    const { note, chosen } = this.#note;
    const words = `Running ${note.path}: ${this.#ended} of ${chosen.length}`;
    this.#words.setText(words + this.#raised);
  }
}
