import type { NoteScan } from '../scan/note-scan.ts';
import { rescan } from '../scan/rescan.ts';
import { scan, scanWithDistance } from '../scan/scan.ts';
import { hostileNote, hostilePieces } from './hostile-note.ts';
import type { Random } from './random.ts';

/** Edits a long hostile note a few times and says where reading it in part differs from reading all. */
export function rescanFlaw(random: Random): string | null {
  let known = scanWithDistance(longNote(random), random.pick([1, 40, 400]));
  for (let edits = 8; edits > 0; edits--) {
    const { length } = known.text;
    const from = random.below(length + 1);
    const removed = random.oneIn(2) ? 0 : random.below(random.oneIn(4) ? 300 : 4);
    const range = [from, Math.min(length, from + removed)] as const;
    const text = random.oneIn(3) ? '' : random.pick(random.oneIn(2) ? hostilePieces : keystrokes);
    known = rescan(known, { range, text });
    if (!isAsScanned(known)) {
      return `${JSON.stringify({ range, text })} giving ${JSON.stringify(known.text)}`;
    }
  }
  return null;
}

/** Whether a scan is what reading its whole text gives. */
export function isAsScanned(known: NoteScan): boolean {
  return essence(known) === essence(scan(known.text));
}

const keystrokes = [
  '\n',
  '\r',
  ' ',
  'a',
  '`',
  '>',
  '-',
  '%',
  '\n\n',
  '\r\n',
  '```\n',
  '---\n',
  '#',
  '^',
];

function longNote(random: Random): string {
  // What one part leaves open would swallow all others.
  const closers = '\n\n~~~\n```\n-->\n</script>\n?>\n>\n]]>\n\n%%\n';
  let text = '';
  for (let left = 3 + random.below(30); left > 0; left--) {
    text += hostileNote(random) + random.pick(['\n\n', '\n', '', closers, '\n\nplain\n\n']);
  }
  return text;
}

function essence({ resume: _, ...found }: NoteScan): string {
  return JSON.stringify(found, (_key, value: unknown) =>
    // Whatever the order in which fields were set.
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
