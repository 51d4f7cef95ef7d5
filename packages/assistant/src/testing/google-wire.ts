import type { ModelCall, StreamPiece, WireFormat } from './model-reply.ts';
import { spoken } from './model-reply.ts';

const finishReasons = {
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  'malformed-call': 'MALFORMED_FUNCTION_CALL',
};

/** Google's Gemini API. */
export const googleWire: WireFormat = {
  owns: (path) => path.endsWith(':streamGenerateContent'),
  toolNames: ({ tools = [] }) =>
    (tools as { functionDeclarations?: { name: string }[] }[]).flatMap(
      ({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name),
    ),
  failure: ({ status, message }) => ({ error: { code: status, message, status: 'FAILED' } }),
  *stream(reply): Generator<StreamPiece> {
    const { calls = [], tokens = { input: 10, output: 5 } } = reply;
    const chunk = (parts: readonly object[], more: object = {}) =>
      `data: ${JSON.stringify({
        candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
      })}\n\n`;
    yield* spoken(reply, (text) => chunk([{ text }]));
    for (const call of calls) {
      yield chunk([{ functionCall: { name: call.name, args: argumentsOf(call) } }]);
    }
    const finishReason = reply.stop ? finishReasons[reply.stop] : 'STOP';
    yield `data: ${JSON.stringify({
      candidates: [{ content: { role: 'model', parts: [] }, index: 0, finishReason }],
      usageMetadata: {
        promptTokenCount: tokens.input,
        candidatesTokenCount: tokens.output,
        totalTokenCount: tokens.input + tokens.output,
      },
    })}\n\n`;
  },
};

/** This API has no text of arguments that could be broken. */
function argumentsOf(call: ModelCall): unknown {
  return typeof call.arguments === 'string' ? JSON.parse(call.arguments) : call.arguments;
}
