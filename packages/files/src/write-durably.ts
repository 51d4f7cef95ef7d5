import { constants, fchmodSync, fchownSync, fstatSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** What a new file is made of: its bytes, and the file whose owner and mode it takes over. */
export interface NewFile {
  readonly bytes: Uint8Array;
  readonly like: Stats | undefined;
  /** The rights of a file that is like no other. */
  readonly mode?: number;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;
const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;

/** Makes a file and waits until it is on the disk. */
export async function writeDurably(path: string, { bytes, like, mode }: NewFile): Promise<void> {
  await using file = await open(path, flags, mode);
  await file.writeFile(bytes);
  keepOwnerAndMode(file.fd, like);
  await file.sync();
}

function keepOwnerAndMode(descriptor: number, like: Stats | undefined): void {
  if (like === undefined) return;
  const own = fstatSync(descriptor);
  if (own.uid !== like.uid || own.gid !== like.gid) {
    // Only the superuser may give files away; everybody may give them to a group that they are in.
    if (!isGivenTo(descriptor, like.uid, like.gid)) isGivenTo(descriptor, own.uid, like.gid);
  }
  if (own.mode !== like.mode) fchmodSync(descriptor, like.mode & 0o7777);
}

function isGivenTo(descriptor: number, uid: number, gid: number): boolean {
  try {
    fchownSync(descriptor, uid, gid);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return false;
  }
}
