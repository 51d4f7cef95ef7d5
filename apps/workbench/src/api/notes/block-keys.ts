import { createHash } from 'node:crypto';
import type { ToolBlock } from '@errand/document';

/**
 * A key for each block, in their order. It is made from the request alone, so it stays the same while
 * results are written and other text moves; of equal requests each has its own.
 */
export function blockKeys(blocks: readonly ToolBlock[]): readonly string[] {
  const seen = new Map<string, number>();
  return blocks.map(({ source }) => {
    const hash = createHash('sha256').update(source).digest('base64url').slice(0, 12);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return count === 1 ? hash : `${hash}-${count}`;
  });
}
