import { errorLine, type Incoming, type RpcError, readMessage, rpcCode } from '@errand/wire';

const maxMessages = 100;

/** Why several messages in one array are refused; only the oldest revisions allow them. */
export function batchError(
  batch: readonly unknown[],
  protocolVersion: string,
): RpcError | undefined {
  if (protocolVersion > '2025-03-26') return refused('Send one message at a time.');
  if (batch.length === 0) return refused('The batch is empty.');
  if (batch.length > maxMessages) return refused(`A batch has at most ${maxMessages} messages.`);
  return undefined;
}

/** Answers the messages of a batch together; undefined when none of them expects a response. */
export async function answerBatch(
  batch: readonly unknown[],
  answerOne: (message: Exclude<Incoming, { kind: 'invalid' }>) => Promise<string | undefined>,
): Promise<string | undefined> {
  const lines = await Promise.all(
    batch.map(readMessage).map((message) => {
      if (message.kind !== 'invalid') return answerOne(message);
      return message.isAnswerable ? errorLine(message.id, message.error) : undefined;
    }),
  );
  const answers = lines.filter((line) => line !== undefined);
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
}

function refused(problem: string): RpcError {
  return { code: rpcCode.invalidRequest, message: `Invalid Request: ${problem}` };
}
