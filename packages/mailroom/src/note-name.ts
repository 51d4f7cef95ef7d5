const mostCharacters = 60;
const mostBytes = 150;

/** `YYYY-MM-DD-HHmm-<subject>.md`, and `-001` before the ending for the second of that name. */
export function noteName(time: number, subject: string, clash = 0): string {
  const stamp = new Date(time).toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  const counter = clash === 0 ? '' : `-${String(clash).padStart(3, '0')}`;
  return `${stamp}-${slugOf(subject)}${counter}.md`;
}

/** Letters, digits and dashes: safe on every disk, in every link, and never a hidden file or a path. */
function slugOf(subject: string): string {
  const plain = subject
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  let slug = '';
  for (const character of plain) {
    if (slug.length >= mostCharacters || Buffer.byteLength(slug) >= mostBytes) break;
    slug += character;
  }
  return slug.replace(/^-+|-+$/g, '') || 'no-subject';
}

/** The time that a mail says it has; a time that cannot be is that of its coming. */
export function mailTime(date: string, now: number): number {
  const time = Date.parse(date);
  const isPossible = time > Date.UTC(1990, 0) && time < now + 86_400_000;
  return isPossible ? time : now;
}
