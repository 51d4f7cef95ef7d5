import type { ActivityEvent } from '@errand/workspace/activity';
import type { CallDetails } from '../../contract.ts';
import { callContent } from './call-content.ts';

/** Recent calls that can be looked at in full; the oldest give way. */
const most = { calls: 200, characters: 16 * 1024 * 1024 };

/** Parameters and answers of recent calls, which the log does not keep. */
export class RecentCalls {
  readonly #calls = new Map<string, { readonly details: CallDetails; readonly size: number }>();
  #size = 0;

  get(id: string): CallDetails | undefined {
    return this.#calls.get(id)?.details;
  }

  add({ call, request, outcome }: Extract<ActivityEvent, { kind: 'call-ended' }>): void {
    const content = outcome.result === undefined ? null : callContent(outcome.result);
    const data = content?.attachments.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
    const size = data + (content?.text.length ?? 0);
    this.#calls.set(call.id, { details: { call, params: request.parameters, content }, size });
    this.#size += size;
    for (const [id, oldest] of this.#calls) {
      if (this.#calls.size <= most.calls && this.#size <= most.characters) return;
      this.#calls.delete(id);
      this.#size -= oldest.size;
    }
  }
}
