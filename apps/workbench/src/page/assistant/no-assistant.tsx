import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import './no-assistant.css';

/** Explains how to configure a language model. */
export function NoAssistant() {
  const { state } = useWorkbench();
  return (
    <section class="no-assistant" aria-labelledby="no-assistant-title">
      <h2 id="no-assistant-title">No language model is set up yet</h2>
      <p>
        Copy one of these into <code>{state.value?.settings.file}</code>, next to what is already
        there. This page updates when you save the file.
      </p>
      {examples.map(({ title, what, entry }) => (
        <ExampleEntry key={title} title={title} what={what} entry={entry} />
      ))}
      <p class="small soft">
        A key is kept on this machine, not in the settings: store it under its name in{' '}
        <a href={hrefTo('settings')}>Settings</a>.
      </p>
    </section>
  );
}

interface Example {
  readonly title: string;
  readonly what: string;
  readonly entry: object;
}

function ExampleEntry({ title, what, entry }: Example) {
  const text = `"assistants": [\n  ${JSON.stringify(entry, undefined, 2).replaceAll('\n', '\n  ')}\n]`;
  return (
    <div class="panel">
      <header class="panel-head">
        <h3>{title}</h3>
        <CopyButton text={text} what={`settings for: ${title}`} />
      </header>
      <p class="small soft">{what}</p>
      <pre>{text}</pre>
    </div>
  );
}

const examples: readonly Example[] = [
  {
    title: 'On this machine, with Ollama',
    what: 'Nothing leaves your machine. First: ollama pull qwen3',
    entry: {
      name: 'Local',
      provider: 'openai-compatible',
      model: 'qwen3',
      baseUrl: 'http://127.0.0.1:11434/v1',
    },
  },
  {
    title: 'With a key',
    what: 'For anthropic, openai or google. Store the key as a secret under this name.',
    entry: {
      name: 'Claude',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      key: `\${secret:anthropic}`,
    },
  },
  {
    title: 'OpenAI-compatible URL',
    what: 'LM Studio, OpenRouter, DeepSeek, vLLM and many others.',
    entry: {
      name: 'Router',
      provider: 'openai-compatible',
      model: 'deepseek/deepseek-chat',
      baseUrl: 'https://openrouter.ai/api/v1',
      key: `\${secret:openrouter}`,
    },
  },
];
