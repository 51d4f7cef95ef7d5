import {
  appendFileSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

// Started by `race-editors.ts`: adds numbered lines to a note, saving each as editors do.
const [style = '', path = '', count = '0', seed = '1'] = process.argv.slice(2);

let state = Number(seed);

/** A repeatable number from 0 to below 1. */
function random(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
  return state / 0x80_00_00_00;
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Reads the note until it is there: another program may be replacing it. */
function readNote(): string {
  for (;;) {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function writeInTwo(descriptor: number, text: string): void {
  const middle = Math.floor(text.length / 2);
  writeSync(descriptor, text.slice(0, middle));
  if (random() < 0.1) pause(random() * 80);
  writeSync(descriptor, text.slice(middle));
}

const saves: Readonly<Record<string, (line: string) => void>> = {
  'in-place'(line) {
    const text = `${readNote()}${line}\n`;
    const descriptor = openSync(path, 'w');
    writeInTwo(descriptor, text);
    closeSync(descriptor);
  },
  appending(line) {
    if (random() < 0.5) return appendFileSync(path, `${line}\n`);
    const descriptor = openSync(path, 'a');
    if (random() < 0.2) pause(random() * 80);
    writeSync(descriptor, `${line}\n`);
    closeSync(descriptor);
  },
  renaming(line) {
    writeFileSync(`${path}.new`, `${readNote()}${line}\n`);
    renameSync(`${path}.new`, path);
  },
  vim(line) {
    const text = `${readNote()}${line}\n`;
    renameSync(path, `${path}~`);
    const descriptor = openSync(path, 'w');
    writeInTwo(descriptor, text);
    fsyncSync(descriptor);
    closeSync(descriptor);
    rmSync(`${path}~`);
  },
};

for (let at = 0; at < Number(count); at++) {
  saves[style]?.(`${style} ${at}`);
  pause(random() < 0.5 ? random() * 20 : random() * 400);
}
