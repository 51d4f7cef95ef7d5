import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VaultWatch } from './vault-watch.ts';

test('reports a handler that failed on a change, and calls it for the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-watch-'));
  try {
    const changed: string[] = [];
    const faults: unknown[] = [];
    using watch = new VaultWatch(
      folder,
      ({ paths }) => {
        changed.push(...paths);
        throw new Error('a defect');
      },
      (error) => faults.push(error),
    );
    await watch.tree;
    writeFileSync(join(folder, 'a.md'), 'a');
    await expect.poll(() => changed, { timeout: 10_000 }).toContain('a.md');
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    writeFileSync(join(folder, 'b.md'), 'b');
    await expect.poll(() => changed, { timeout: 10_000 }).toContain('b.md');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
