import { readFileSync } from 'node:fs';
import { ModelServer } from '@errand/assistant/testing';

/** What the scripted model says to a mail whose subject contains `subject`. */
interface ScriptedDecision {
  readonly subject: string;
  readonly decision: string;
  readonly [field: string]: unknown;
}

/** A language model that answers each mail as a file says, over HTTP on this machine. */
export async function startScriptedClerk(file: string): Promise<ModelServer> {
  const script = JSON.parse(readFileSync(file, 'utf8')) as readonly ScriptedDecision[];
  const model = await ModelServer.open();
  model.always(({ body }) => {
    const asked = JSON.stringify(body);
    const { subject: _, ...answer } =
      script.find(({ subject }) => asked.includes(subject)) ?? unknown;
    return { text: [JSON.stringify(answer)], tokens: { input: asked.length >> 2, output: 80 } };
  });
  return model;
}

const unknown: ScriptedDecision = {
  subject: '',
  decision: 'needs_info',
  confidence: 0.5,
  reasoning: 'The script has no answer to this mail.',
  info_needed: 'What should be done with it?',
};
