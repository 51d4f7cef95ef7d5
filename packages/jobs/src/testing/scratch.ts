import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed when it is disposed. */
export function scratch(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'errand-jobs-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
