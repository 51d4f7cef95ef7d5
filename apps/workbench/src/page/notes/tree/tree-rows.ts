/** A line of the tree. */
export interface TreeRow {
  readonly kind: 'folder' | 'note';
  readonly path: string;
  readonly name: string;
  /** From 1. */
  readonly depth: number;
  readonly isOpen: boolean;
  /** Its place among those in the same folder, from 1, and how many these are. */
  readonly position: number;
  readonly siblings: number;
}

export interface Folder {
  readonly path: string;
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly notes: readonly string[];
}

/** The folders of a list of notes, in the list's order. */
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

/** What is seen of a tree: folders before notes, and inside only those that are open. */
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

/** A note's name as people say it. */
export function titleOf(path: string): string {
  return nameOf(path).replace(/\.md$/i, '');
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
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
