import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TextEdit } from '@errand/document';
import { HostError } from '@errand/host';
import { openNoteFolder } from '@errand/machine/node';

/** What became of the edits of other programs while results were written into the same notes. */
export interface Races {
  /** Edits that are neither in the note nor in a copy beside it. */
  readonly flaws: readonly string[];
  /** How often we wrote. */
  readonly writes: number;
  /** How often a write was computed again because the note had changed. */
  readonly repeats: number;
  /** How often a write was given up because the note kept changing. */
  readonly refused: number;
  /** Copies that were kept beside notes. */
  readonly copies: number;
}

const styles = ['in-place', 'appending', 'renaming', 'vim'] as const;
const program = fileURLToPath(new URL('./racing-editor.ts', import.meta.url));

/** Lets editors save notes while we write into them, each its own; every style has `notesEach` of them. */
export async function raceEditors(seed: number, count: number, notesEach = 1): Promise<Races> {
  const folder = mkdtempSync(join(tmpdir(), 'errand-races-'));
  const vault = join(folder, 'vault');
  mkdirSync(vault);
  try {
    const store = openNoteFolder(vault, join(folder, 'locks'));
    const each = Math.ceil(count / styles.length / notesEach);
    const races = await Promise.all(
      styles.flatMap((style) =>
        Array.from({ length: notesEach }, async (_, index) => {
          const name = `${style} ${index}.md`;
          writeFileSync(join(vault, name), '# Note\n');
          const argv = [style, join(vault, name), String(each), String(seed + index)];
          const editor = spawn(process.execPath, [program, ...argv], { stdio: 'inherit' });
          const written = await writeUntilEnded(store, name, editor);
          const texts = readdirSync(vault)
            .filter((file) => file.startsWith(`${style} ${index}`))
            .map((file) => readFileSync(join(vault, file), 'utf8'));
          const lines = new Set(texts.flatMap((text) => text.split('\n')));
          const expected = Array.from({ length: each }, (_, at) => `${style} ${at}`);
          const flaws = expected.filter((line) => !lines.has(line));
          return { ...written, flaws: flaws.map((line) => `${name} lost ${line}`) };
        }),
      ),
    );
    return {
      flaws: races.flatMap(({ flaws }) => flaws),
      writes: races.reduce((sum, { writes }) => sum + writes, 0),
      repeats: races.reduce((sum, { repeats }) => sum + repeats, 0),
      refused: races.reduce((sum, { refused }) => sum + refused, 0),
      copies: readdirSync(vault).length - races.length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeUntilEnded(
  store: ReturnType<typeof openNoteFolder>,
  name: string,
  editor: ChildProcess,
): Promise<Pick<Races, 'writes' | 'repeats' | 'refused'>> {
  const counts = { writes: 0, repeats: 0, refused: 0 };
  const ended = once(editor, 'exit');
  while (editor.exitCode === null && editor.signalCode === null) {
    try {
      let asked = 0;
      await store.edit(name, (text) => {
        asked += 1;
        return setResult(text, counts.writes);
      });
      counts.writes += 1;
      counts.repeats += asked - 1;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      counts.refused += 1;
    }
    await setImmediate();
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`The editor of ${name} ended with ${code}.`);
  return counts;
}

/** Replaces the line of an earlier write below the first line, or adds it there. */
function setResult(text: string, count: number): readonly TextEdit[] {
  const from = text.indexOf('\n') + 1;
  const [old = ''] = /^result \d+\n/.exec(text.slice(from)) ?? [];
  return [{ range: [from, from + old.length], text: `result ${count}\n` }];
}
