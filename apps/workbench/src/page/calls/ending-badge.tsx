import { Badge } from '../parts/badge.tsx';
import { endings } from './words.ts';

/** How a call ended. */
export function EndingBadge({ status }: { readonly status: string }) {
  const { words, tone } = endings[status] ?? { words: status, tone: 'neutral' };
  return <Badge tone={tone}>{words}</Badge>;
}
