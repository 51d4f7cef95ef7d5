import { constants, fstatSync } from 'node:fs';
import type { ContainedRoot } from './contained-root.ts';
import { openFileIn } from './open-file.ts';
import { openFolder } from './open-folder.ts';
import { syncFolder } from './temporary-file.ts';

const { O_APPEND, O_CREAT, O_WRONLY } = constants;

/** Appends a line to a file below a root and brings it to the disk; fails when it is not there, and then leaves no half of it. */
export async function appendLine(
  root: ContainedRoot,
  folders: readonly string[],
  name: string,
  line: string,
): Promise<void> {
  using folder = openFolder(root, folders, { create: true });
  await using file = await openFileIn({ root, folder, name }, O_APPEND | O_CREAT | O_WRONLY, 0o600);
  const { size } = fstatSync(file.fd);
  try {
    await file.writeFile(`${line}\n`);
    await file.sync();
  } catch (error) {
    // Half a line would spoil the next one.
    await file.truncate(size).catch(() => {});
    throw error;
  }
  if (size === 0) await syncFolder(folder);
}
