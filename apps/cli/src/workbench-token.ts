import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The token by which pages of this vault's workbench are known. It outlives the program, so that a
 * page that is still open goes on when the workbench is started again.
 */
export async function keepToken(stateFolder: string, vaultFolder: string): Promise<string> {
  const folder = join(stateFolder, 'workbench');
  const name = createHash('sha256').update(vaultFolder).digest('hex').slice(0, 32);
  const path = join(folder, `${name}.token`);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (/^[\w-]{43}$/.test(known)) return known;
  const token = randomBytes(32).toString('base64url');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path, token, { mode: 0o600 });
  return token;
}
