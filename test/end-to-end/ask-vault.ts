import { ModelServer, type Script } from '@errand/assistant/testing';
import { readJournal } from '@errand/machine/testing';
import { TestVault } from './errand-process.ts';

/** A vault with a scripted model, which its settings name, and a scripted server. */
export async function openAskVault(script: readonly Script[], note = '# Trip\n') {
  const model = await ModelServer.open(...script);
  const assistant = model.assistant('anthropic', {
    key: `\${env:MODEL_KEY}`,
  });
  const vault = TestVault.trusted({
    settings: { assistants: [assistant] },
    notes: { 'Trip.md': note },
  });
  vault.add(vault.scripted());
  vault.env.MODEL_KEY = 'sk-very-secret';
  return {
    model,
    vault,
    calls: () => readJournal(vault.journal).filter(({ kind }) => kind === 'call'),
    async [Symbol.asyncDispose]() {
      vault[Symbol.dispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}
