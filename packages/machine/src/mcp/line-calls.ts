import type { CallOptions, Progress } from '@errand/host';
import { isRecord, type JsonObject, onAbort, readError } from '@errand/wire';
import {
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';

/** Ids of our own, far above those that the SDK counts from zero. */
const firstId = 1_000_000_000;

interface Notification {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Where calls are written. */
interface CallOutput {
  /** At once. */
  send(message: JSONRPCMessage): Promise<void>;
  /** Together with others of the same moment. */
  sendTogether(message: JSONRPCMessage): Promise<void>;
}

/**
 * Requests of the older era over lines, past the SDK: the checks it makes of every message cost more
 * than all the rest that a connection does for a call.
 */
export class LineCalls {
  readonly #output: CallOutput;
  /** Not a `Map`: see `ArraySet` for what a busy one costs. */
  readonly #waiting: Record<number, Waiting> = {};
  #lastId = firstId;

  constructor(output: CallOutput) {
    this.#output = output;
  }

  /** Resolves with the result as it came; rejects with what the SDK would reject with. */
  request<Result>(
    method: string,
    params: JsonObject,
    { signal, onProgress }: CallOptions,
  ): Promise<Result> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const sent = onProgress === undefined ? params : withToken(params, id);
    return new Promise((resolve, reject) => {
      const settle = () => {
        delete this.#waiting[id];
        stopListening();
      };
      const { [Symbol.dispose]: stopListening } = onAbort(signal, (reason) => {
        settle();
        this.#cancel(id, reason);
        reject(reason);
      });
      const fail = (error: unknown) => {
        settle();
        reject(error);
      };
      this.#waiting[id] = {
        onProgress,
        resolve: (result) => {
          settle();
          resolve(result as Result);
        },
        reject: fail,
      };
      try {
        this.#output.sendTogether({ jsonrpc: '2.0', id, method, params: sent }).catch(fail);
      } catch (error) {
        // Nested too deep to be written.
        fail(error);
      }
    });
  }

  /** Takes a message that belongs to one of these requests; says whether it did. */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message) return this.#takeProgress(message);
    const waiting = this.#waiting[Number(message.id)];
    if (waiting === undefined) return Number(message.id) > firstId;
    if ('result' in message) {
      // Servers send anything; a result that is not an object counts as empty.
      waiting.resolve(isRecord(message.result) ? message.result : {});
    } else {
      const { code, message: text, data } = readError(message.error);
      waiting.reject(new ProtocolError(code, text, data));
    }
    return true;
  }

  /** Ends what still waits. */
  close(): void {
    const lost = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const { reject } of Object.values(this.#waiting)) reject(lost);
  }

  #cancel(requestId: number, reason: unknown): void {
    const params = { requestId, reason: reason instanceof Error ? reason.message : String(reason) };
    // At once: its input may be closed in the next moment. A server that takes no more has nothing to stop.
    this.#output
      .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      .catch(() => {});
  }

  #takeProgress({ method, params = {} }: Notification): boolean {
    if (method !== 'notifications/progress') return false;
    const { progressToken } = params;
    // Ignore progress of unknown requests.
    if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return true;
    const progress = readProgress(params);
    if (progress) this.#waiting[Number(progressToken)]?.onProgress?.(progress);
    return Number(progressToken) > firstId;
  }
}

/** The valid fields of a progress notification; undefined without a number. */
function readProgress({ progress, total, message }: JsonObject): Progress | undefined {
  if (typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}

function withToken(params: JsonObject, progressToken: number): JsonObject {
  return { ...params, _meta: { ...(params._meta as object), progressToken } };
}
