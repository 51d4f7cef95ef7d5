import { argumentsText, type StreamPiece, spoken, type WireFormat } from './model-reply.ts';

const finishReasons = { length: 'length', refusal: 'content_filter', 'malformed-call': 'stop' };

/** Chat completions, which Ollama and many others speak. */
export const chatWire: WireFormat = {
  owns: (path) => path.endsWith('/chat/completions'),
  toolNames: ({ tools = [] }) =>
    (tools as { function: { name: string } }[]).map((tool) => tool.function.name),
  failure: ({ message }) => ({ error: { message, type: 'error', code: null } }),
  *stream(reply, id): Generator<StreamPiece> {
    const { calls = [], tokens = { input: 10, output: 5 } } = reply;
    const chunk = (choices: readonly object[], more: object = {}) =>
      `data: ${JSON.stringify({
        id: `chatcmpl-${id}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices,
        ...more,
      })}\n\n`;
    const delta = (fields: object, finish: string | null = null) =>
      chunk([{ index: 0, delta: fields, finish_reason: finish }]);
    yield delta({ role: 'assistant', content: '' });
    yield* spoken(reply, (content) => delta({ content }));
    for (const [index, call] of calls.entries()) {
      const named = { name: call.name, arguments: '' };
      yield delta({
        tool_calls: [{ index, id: `call_${id}_${index}`, type: 'function', function: named }],
      });
      yield delta({ tool_calls: [{ index, function: { arguments: argumentsText(call) } }] });
    }
    const reason = calls.length > 0 ? 'tool_calls' : 'stop';
    yield delta({}, reply.stop ? finishReasons[reply.stop] : reason);
    yield chunk([], {
      usage: {
        prompt_tokens: tokens.input,
        completion_tokens: tokens.output,
        total_tokens: tokens.input + tokens.output,
      },
    });
    yield 'data: [DONE]\n\n';
  },
};
