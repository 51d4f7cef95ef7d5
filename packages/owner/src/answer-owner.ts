import {
  type Elicitor,
  type ExecuteOptions,
  HostError,
  type Notifier,
  type SecretStore,
} from '@errand/host';
import type { FaceMethods } from './protocol.ts';
import { infoOf, type Methods } from './rpc-peer.ts';

export interface AnswerPorts {
  readonly notifier: Notifier;
  /** Answers what servers ask in the course of this face's calls. */
  readonly elicitor?: Elicitor;
  /** Where the owner may look for secrets that it lacks. */
  readonly secrets: Pick<SecretStore, 'get'>;
}

/** What the owner asks of a face in the course of the face's own calls, and of the face's store. */
export function answerOwner(
  optionsOf: (call: number) => ExecuteOptions,
  { notifier, elicitor, secrets }: AnswerPorts,
): Pick<
  Methods<FaceMethods>,
  'notice' | 'progress' | 'type' | 'approve' | 'elicit' | 'sample' | 'secret'
> {
  return {
    notice: ({ notice }) => notifier.notify(notice),
    progress: ({ call, progress }) => optionsOf(call).onProgress?.(progress),
    type: async ({ call, parameters, inputSchema }) => {
      const typed = await optionsOf(call).typeParameters?.(parameters, inputSchema);
      return { parameters: typed ?? parameters };
    },
    approve: async ({ call, request, tool }, { signal }) => {
      const refusal = await optionsOf(call).approve?.(request, tool, signal);
      if (refusal instanceof HostError) return { refusal: infoOf(refusal), wasAsked: true };
      return { wasAsked: refusal !== 'unasked' };
    },
    elicit: async ({ call, question }, { signal }) => {
      const { caller } = optionsOf(call);
      const answerer = caller === undefined ? elicitor : caller.elicitor;
      return (await answerer?.elicit(question, signal)) ?? { action: 'decline' };
    },
    sample: async ({ call, request }, { signal }) => {
      const answer = await optionsOf(call).caller?.sampler?.sample(request, signal);
      return answer === undefined ? {} : { answer };
    },
    secret: async ({ name }) => {
      const value = await secrets.get(name);
      return value === undefined ? {} : { value };
    },
  };
}
