import {
  argumentsText,
  type ModelCall,
  type ModelReply,
  type StreamPiece,
  spoken,
  type WireFormat,
} from './model-reply.ts';

/** OpenAI's Responses API. */
export const openaiWire: WireFormat = {
  owns: (path) => path.endsWith('/responses'),
  toolNames: ({ tools = [] }) => (tools as { name: string }[]).map(({ name }) => name),
  failure: ({ status, message }) => ({
    error: { message, type: status === 401 ? 'invalid_request_error' : 'server_error', code: null },
  }),
  *stream(reply, id): Generator<StreamPiece> {
    const { calls = [], tokens = { input: 10, output: 5 } } = reply;
    const response = { id: `resp_${id}`, object: 'response', created_at: 1, model: 'scripted' };
    yield event('response.created', { response: { ...response, status: 'in_progress' } });
    if (reply.text !== undefined) yield* message(reply, `msg_${id}`);
    const first = reply.text === undefined ? 0 : 1;
    for (const [index, call] of calls.entries()) {
      yield* functionCall(call, `${id}_${index}`, first + index);
    }
    const usage = {
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    if (reply.stop === 'length') {
      const details = { incomplete_details: { reason: 'max_output_tokens' } };
      yield event('response.incomplete', { response: { ...response, ...details, usage } });
    } else {
      yield event('response.completed', { response: { ...response, status: 'completed', usage } });
    }
  },
};

function* message(reply: ModelReply, itemId: string): Generator<StreamPiece> {
  const item = { id: itemId, type: 'message', role: 'assistant', content: [] };
  const kind = reply.stop === 'refusal' ? 'refusal' : 'output_text';
  yield event('response.output_item.added', { output_index: 0, item });
  yield* spoken(reply, (delta) =>
    event(`response.${kind}.delta`, { item_id: itemId, output_index: 0, content_index: 0, delta }),
  );
  const text = (reply.text ?? []).join('');
  const part =
    kind === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations: [] };
  if (kind === 'refusal') {
    yield event('response.refusal.done', {
      item_id: itemId,
      output_index: 0,
      content_index: 0,
      refusal: text,
    });
  }
  yield event('response.output_item.done', {
    output_index: 0,
    item: { ...item, status: 'completed', content: [part] },
  });
}

function* functionCall(call: ModelCall, id: string, index: number): Generator<StreamPiece> {
  const item = { id: `fc_${id}`, type: 'function_call', call_id: `call_${id}`, name: call.name };
  const written = argumentsText(call);
  yield event('response.output_item.added', {
    output_index: index,
    item: { ...item, arguments: '' },
  });
  const place = { item_id: item.id, output_index: index };
  yield event('response.function_call_arguments.delta', { ...place, delta: written });
  yield event('response.function_call_arguments.done', { ...place, arguments: written });
  yield event('response.output_item.done', {
    output_index: index,
    item: { ...item, arguments: written, status: 'completed' },
  });
}

function event(type: string, fields: object): string {
  return `data: ${JSON.stringify({ type, ...fields })}\n\n`;
}
