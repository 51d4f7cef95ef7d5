/**
 * Whether a path fits a glob: `*` and `?` within a folder, `**` across folders. The time it takes is at most the
 * product of both lengths: a glob may come from a stranger, and a regular expression of many stars never ends.
 */
export function matchesGlob(glob: string, path: string): boolean {
  // ends[at] is 1 when the parts so far fit the first `at` characters of the path.
  let ends = new Uint8Array(path.length + 1);
  ends[0] = 1;
  let previous = '';
  for (const [part] of glob.matchAll(/\*\*\/|\*\*|\*|[^*]/gs)) {
    // A star again fits nothing more.
    if (part === previous && part.startsWith('*')) continue;
    previous = part;
    ends = endsAfter(part, ends, path);
    if (!ends.includes(1)) return false;
  }
  return ends[path.length] === 1;
}

function endsAfter(part: string, ends: Uint8Array, path: string): Uint8Array<ArrayBuffer> {
  const after = new Uint8Array(path.length + 1);
  let isOpen = false;
  for (let at = 0; at <= path.length; at++) {
    const character = path[at - 1];
    if (part === '**/') {
      after[at] = ends[at] === 1 || (isOpen && character === '/') ? 1 : 0;
      isOpen ||= ends[at] === 1;
    } else if (part.startsWith('*')) {
      isOpen = ends[at] === 1 || (isOpen && (part === '**' || character !== '/'));
      after[at] = isOpen ? 1 : 0;
    } else if (at > 0 && ends[at - 1] === 1) {
      after[at] = (part === '?' ? character !== '/' : character === part) ? 1 : 0;
    }
  }
  return after;
}
