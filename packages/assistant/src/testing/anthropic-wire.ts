import { argumentsText, type StreamPiece, spoken, type WireFormat } from './model-reply.ts';

const stopReasons = { length: 'max_tokens', refusal: 'refusal', 'malformed-call': 'end_turn' };

/** Anthropic's Messages API. */
export const anthropicWire: WireFormat = {
  owns: (path) => path.endsWith('/messages'),
  toolNames: ({ tools = [] }) => (tools as { name: string }[]).map(({ name }) => name),
  failure: ({ status, message }) => ({
    type: 'error',
    error: { type: status === 401 ? 'authentication_error' : 'api_error', message },
  }),
  *stream(reply, id): Generator<StreamPiece> {
    const { calls = [], tokens = { input: 10, output: 5 } } = reply;
    yield event('message_start', {
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: tokens.input, output_tokens: 1 },
      },
    });
    let index = 0;
    if (reply.text !== undefined) {
      yield event('content_block_start', { index, content_block: { type: 'text', text: '' } });
      yield* spoken(reply, (text) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      );
      yield event('content_block_stop', { index });
      index += 1;
    }
    for (const call of calls) {
      const block = { type: 'tool_use', id: `toolu_${id}_${index}`, name: call.name, input: {} };
      yield event('content_block_start', { index, content_block: block });
      const delta = { type: 'input_json_delta', partial_json: argumentsText(call) };
      yield event('content_block_delta', { index, delta });
      yield event('content_block_stop', { index });
      index += 1;
    }
    const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    yield event('message_delta', {
      delta: { stop_reason: reply.stop ? stopReasons[reply.stop] : reason, stop_sequence: null },
      usage: { output_tokens: tokens.output },
    });
    yield event('message_stop', {});
  },
};

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
