import { type AssistantConfig, oneLine, quoted } from '@errand/host';

/** What a person agrees to before an assistant is used, one line each: what goes where, and which key. */
export function describeAssistant(
  assistant: Pick<AssistantConfig, 'model' | 'provider' | 'baseUrl' | 'key'>,
): readonly string[] {
  const { model, provider, baseUrl = provider, key } = assistant;
  return [
    `sends what you ask, the notes that go with it and the answers of tools to ${baseUrl}, model ${quoted(model)}`,
    ...(key === undefined ? [] : [`with ${key}`]),
  ].map((line) => oneLine(line));
}
