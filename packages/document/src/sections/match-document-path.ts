import { matchesGlob } from './matches-glob.ts';

/**
 * Whether the `documentPath` of a binding means a note: `note` when it names this one alone, `notes` when it
 * is a folder or a pattern. A slash or `./` in front, backslashes, other letters of case and a missing `.md`
 * mean the same note, so that no spelling of its path frees it.
 */
export function matchDocumentPath(documentPath: string, path: string): 'note' | 'notes' | null {
  const wanted = normalize(documentPath);
  const note = normalize(path);
  if (/[*?]/.test(wanted)) {
    const fits = matchesGlob(wanted, note) || matchesGlob(`${wanted}.md`, note);
    return fits ? 'notes' : null;
  }
  if (wanted === note || `${wanted}.md` === note) return 'note';
  return wanted === '' || note.startsWith(`${wanted}/`) ? 'notes' : null;
}

function normalize(path: string): string {
  const segments: string[] = [];
  for (const segment of path.normalize('NFC').toLowerCase().trim().split(/[/\\]/)) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}
