import { type AssistantDraft, emptyAssistant } from '@errand/workspace/settings';
import { useState } from 'preact/hooks';
import type { Failure } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';

/** What a person chooses a language model by; the last is any other that speaks OpenAI's protocol. */
export const modelKinds = {
  ollama: { title: 'Ollama, on this machine', provider: 'openai-compatible', name: 'Local' },
  anthropic: { title: 'Anthropic (Claude)', provider: 'anthropic', name: 'Claude' },
  openai: { title: 'OpenAI (GPT)', provider: 'openai', name: 'GPT' },
  google: { title: 'Google (Gemini)', provider: 'google', name: 'Gemini' },
  other: {
    title: 'Another OpenAI-compatible address',
    provider: 'openai-compatible',
    name: 'Model',
  },
} as const satisfies Readonly<
  Record<string, { title: string; provider: AssistantDraft['provider']; name: string }>
>;

export type ModelKind = keyof typeof modelKinds;

const ollamaUrl = 'http://127.0.0.1:11434/v1';

function kindOf({ provider, baseUrl }: AssistantDraft): ModelKind {
  if (provider !== 'openai-compatible') return provider;
  return baseUrl === ollamaUrl ? 'ollama' : 'other';
}

/** What happens with the form right now. */
type Work = 'models' | 'test' | 'save';

/** State of the form that sets up a language model; `stored` is the one to be changed. */
export function useModelForm(onStored: () => void, stored?: AssistantDraft) {
  const workbench = useWorkbench();
  const taken = (workbench.state.value?.assistant.assistants ?? []).map(({ name }) => name);
  const [kind, setKind] = useState<ModelKind>(stored ? kindOf(stored) : 'ollama');
  const [draft, setDraft] = useState(stored ?? emptyDraft('ollama', taken));
  const [models, setModels] = useState<readonly string[]>();
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({});
  const [refusals, setRefusals] = useState(0);
  const [failure, setFailure] = useState<Failure>();
  const [work, setWork] = useState<Work>();
  const [tested, setTested] = useState<string>();

  const change = (part: Partial<AssistantDraft>) => {
    setDraft({ ...draft, ...part });
    setMistakes(Object.fromEntries(Object.entries(mistakes).filter(([name]) => !(name in part))));
    setTested(undefined);
    setFailure(undefined);
    // Another address or key may have other models.
    if ('baseUrl' in part || 'key' in part || 'newKey' in part) setModels(undefined);
  };

  const choose = (chosen: ModelKind) => {
    const isNamed = draft.name !== freeName(kind, taken);
    setKind(chosen);
    setMistakes({});
    setModels(undefined);
    setTested(undefined);
    setFailure(undefined);
    setDraft({ ...emptyDraft(chosen, taken), ...(isNamed && { name: draft.name }) });
  };

  const attempt = async (what: Work, run: () => Promise<void>) => {
    setWork(what);
    setFailure(undefined);
    setTested(undefined);
    try {
      await run();
      setMistakes({});
    } catch (error) {
      const found = failureOf(error);
      setMistakes(found.fields ?? {});
      if (found.fields === undefined) setFailure(found);
      else setRefusals((count) => count + 1);
    }
    setWork(undefined);
  };

  return {
    kind,
    draft,
    models,
    mistakes,
    refusals,
    failure,
    work,
    tested,
    change,
    choose,
    typeModel: () => setModels(undefined),
    fetchModels: () =>
      attempt('models', async () => {
        const { models: found } = await api.assistant.models.$post({ json: draft });
        setModels(found);
        if (!found.includes(draft.model)) setDraft({ ...draft, model: found[0] ?? '' });
      }),
    test: () =>
      attempt('test', async () => {
        const { durationMs } = await api.assistant.test.$post({ json: draft });
        setTested(`${draft.model} answered after ${(durationMs / 1000).toFixed(1)} s.`);
      }),
    save: () =>
      attempt('save', async () => {
        const json = { draft, ...(stored && { before: stored.name }) };
        const { assistants } = await api.assistant.entry.$post({ json });
        workbench.apply({ kind: 'assistants-changed', assistants });
        onStored();
      }),
  };
}

export type ModelFormState = ReturnType<typeof useModelForm>;

function emptyDraft(kind: ModelKind, taken: readonly string[]): AssistantDraft {
  const { provider } = modelKinds[kind];
  const baseUrl = kind === 'ollama' ? ollamaUrl : '';
  return { ...emptyAssistant, provider, baseUrl, name: freeName(kind, taken) };
}

function freeName(kind: ModelKind, taken: readonly string[]): string {
  const { name } = modelKinds[kind];
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!taken.some((other) => other.toLowerCase() === free.toLowerCase())) return free;
  }
}
