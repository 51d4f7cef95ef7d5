import { type AssistantConfig, systemClock } from '@errand/host';
import { askModel } from '../turn/ask-model.ts';
import { userMessage } from '../turn/messages.ts';
import { explainModelFailure, type ModelFailure } from './model-failure.ts';
import { type ModelPorts, openModel } from './open-model.ts';

/** Asks a model a tiny question as a turn would, with a tool on offer; resolves to why it failed, if it did. */
export async function testModel(
  config: AssistantConfig,
  ports: ModelPorts,
  signal: AbortSignal,
): Promise<ModelFailure | undefined> {
  const model = await openModel(config, ports);
  let hasBegun = false;
  const onText = () => {
    hasBegun = true;
  };
  try {
    const ended = { signal, clock: systemClock, onText, onNotice: () => {} };
    await askModel(model, question, ended);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return explainModelFailure(error, model, hasBegun);
  }
}

const question = {
  instructions: 'Answer with the single word: ready',
  messages: [userMessage('Are you ready?')],
  // A model that cannot use tools says so here, not in the first conversation.
  tools: [
    {
      name: 'unused',
      description: 'Does nothing. Never call it.',
      inputSchema: { type: 'object', properties: {} },
    },
  ],
};
