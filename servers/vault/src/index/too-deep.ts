import { maximumDepth } from '../files/note-path.ts';

const mostNamed = 3;

/** Says which folders were too deep to be looked into; undefined when none was. */
export function describeTooDeep(folders: Iterable<string>): string | undefined {
  // A sentence of thousands of letters would hide what it says.
  const starts = new Set([...folders].map((path) => path.split('/').slice(0, mostNamed).join('/')));
  if (starts.size === 0) return undefined;
  const named = [...starts].sort().slice(0, mostNamed);
  const more = starts.size > named.length ? ` and ${starts.size - named.length} more` : '';
  return `Folders deeper than ${maximumDepth} names are left out, below ${named.join(', ')}${more}. Move their notes higher up to find them.`;
}
