import type { OpenContainer } from './container-stack.ts';
import type { OpenFence } from './open-fence.ts';
import type { OpenHtml } from './open-html.ts';
import type { Paragraph } from './paragraph.ts';
import type { RecordCounts } from './scan-records.ts';

/** The leaf block that is open at an offset. */
export type OpenLeaf =
  | { readonly kind: 'none' | 'indented' }
  | { readonly kind: 'fence'; readonly at: OpenFence }
  | { readonly kind: 'html'; readonly at: OpenHtml }
  | { readonly kind: 'paragraph'; readonly at: Readonly<Paragraph> };

/** The start of a line, with the state needed to resume parsing there. */
export interface Checkpoint {
  readonly position: number;
  readonly line: number;
  readonly levels: readonly Readonly<OpenContainer>[];
  readonly leaf: OpenLeaf;
  /** How many records were found before it. */
  readonly counts: RecordCounts;
}

/** Characters between two checkpoints of a text, at least: 256 of them serve a note of any size. */
export function checkpointDistance(length: number): number {
  return Math.max(2048, length >> 8);
}

/** Whether both leaves are the same, at the same place. */
export function isSameLeaf(a: OpenLeaf, b: OpenLeaf): boolean {
  if (a.kind !== b.kind) return false;
  if (!('at' in a && 'at' in b)) return true;
  const fields = new Map<string, unknown>(Object.entries(b.at));
  return Object.entries(a.at).every(([name, value]) => fields.get(name) === value);
}

/** No checkpoint is taken at a deeper nesting: copying many deep stacks would not be linear. */
export const checkpointDepth = 32;
