import { Badge } from '../parts/badge.tsx';
import { endings } from './call-labels.ts';

/** How a call ended. */
export function OutcomeBadge({ status }: { readonly status: string }) {
  const { words, tone } = endings[status] ?? { words: status, tone: 'neutral' };
  return <Badge tone={tone}>{words}</Badge>;
}
