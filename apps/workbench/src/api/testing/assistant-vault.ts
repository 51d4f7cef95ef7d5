import { ModelServer, type Script } from '@errand/assistant/testing';
import type { AssistantConfig } from '@errand/host';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { TestVault } from './test-workbench.ts';

/** A scripted model, and a vault whose assistant it is. */
export interface AssistantVault extends AsyncDisposable {
  readonly model: ModelServer;
  readonly vault: TestVault & { readonly settings: NonNullable<TestVault['settings']> };
}

export async function assistantVault(
  script: readonly Script[] = [],
  files: TestVault['files'] = {},
  change: Partial<AssistantConfig> = {},
): Promise<AssistantVault> {
  const model = await ModelServer.open(...script);
  return {
    model,
    vault: {
      files,
      secrets: { key: 'sk-very-secret' },
      settings: {
        mcpServers: [scriptedServerConfig()],
        assistants: [model.assistant('anthropic', change)],
      },
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}
