/**
 * Whether a path fits a glob: `*` and `?` within a folder, `**` across folders. The time it takes grows with the
 * glob's length alone for a given path: a glob may come from a stranger, and a regular expression of many stars never ends.
 */
export function matchesGlob(glob: string, path: string): boolean {
  if (!hasFixedEnds(glob, path)) return false;
  const parts = partsOf(glob);
  // Every part but the stars takes a character.
  if (parts.filter((part) => !part.startsWith('*')).length > path.length) return false;
  // ends[at] is 1 when the parts so far fit the first `at` characters of the path.
  let ends = new Uint8Array(path.length + 1);
  ends[0] = 1;
  for (const part of parts) {
    ends = endsAfter(part, ends, path);
    if (!ends.includes(1)) return false;
  }
  return ends[path.length] === 1;
}

/** Whether a path begins and ends with what a glob says literally; most paths are told apart by that alone. */
function hasFixedEnds(glob: string, path: string): boolean {
  const first = glob.search(/[*?]/);
  if (first === -1) return glob === path;
  const last = Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?'));
  // The slash of `**/` belongs to the stars, which may stand for no folder.
  const end = glob.startsWith('**/', last - 1) ? last + 2 : last + 1;
  return path.startsWith(glob.slice(0, first)) && path.endsWith(glob.slice(end));
}

/** The parts of a glob, with at most two for stars in a row: more of them fit the same. */
function partsOf(glob: string): readonly string[] {
  const parts: string[] = [];
  let stars: readonly string[] = [];
  for (const [part] of glob.matchAll(/\*\*\/|\*\*|\*|[^*]/gs)) {
    if (part.startsWith('*')) stars = withStar(stars, part);
    else {
      parts.push(...stars, part);
      stars = [];
    }
  }
  return [...parts, ...stars];
}

function withStar(stars: readonly string[], part: string): readonly string[] {
  const last = stars.at(-1);
  if (last === undefined || last === part) return last === undefined ? [part] : stars;
  // Up to the last slash, and from there on: together they fit anything.
  return last === '*' && part === '**/' ? ['*', '**/'] : ['**'];
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
