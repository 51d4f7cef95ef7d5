/** A visible row of the tree. */
export interface TreeRow {
  readonly kind: 'folder' | 'note';
  readonly path: string;
  readonly name: string;
  /** From 1. */
  readonly depth: number;
  readonly isOpen: boolean;
  /** Position among its siblings, from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
}

export interface Folder {
  readonly path: string;
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly notes: readonly string[];
}

/** Builds the folder tree of a list of notes, keeping its order. */
export function asTree(notes: readonly string[]): Folder {
  const root = new GrowingFolder('', '');
  const known = new Map([['', root]]);
  const folderOf = (path: string): GrowingFolder => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const folder = new GrowingFolder(path, nameOf(path));
    known.set(path, folder);
    folderOf(parentOf(path)).folders.push(folder);
    return folder;
  };
  for (const path of notes) folderOf(parentOf(path)).notes.push(path);
  return root;
}

/** The visible rows: folders before notes, and the content of open folders only. */
export function treeRows(root: Folder, unfolded: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = ({ folders, notes }: Folder, depth: number): void => {
    const siblings = folders.length + notes.length;
    for (const [index, folder] of folders.entries()) {
      const isOpen = unfolded.has(folder.path);
      const { path, name } = folder;
      rows.push({ kind: 'folder', path, name, depth, isOpen, position: index + 1, siblings });
      if (isOpen) add(folder, depth + 1);
    }
    for (const [index, path] of notes.entries()) {
      const position = folders.length + index + 1;
      const name = titleOf(path);
      rows.push({ kind: 'note', path, name, depth, isOpen: false, position, siblings });
    }
  };
  add(root, 1);
  return rows;
}

/** The folders around a note, the outermost first. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The name of a note without folder and extension. */
export function titleOf(path: string): string {
  return nameOf(path).replace(/\.md$/i, '');
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Whether a name contains all words of a query, ignoring case, as the API's search does. */
export function matchesQuery(name: string, query: string): boolean {
  const text = name.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

class GrowingFolder implements Folder {
  readonly path: string;
  readonly name: string;
  readonly folders: GrowingFolder[] = [];
  readonly notes: string[] = [];

  constructor(path: string, name: string) {
    this.path = path;
    this.name = name;
  }
}
