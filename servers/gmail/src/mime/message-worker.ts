import { parentPort, workerData } from 'node:worker_threads';
import { parseMessage } from './parse-message.ts';

/** What a worker is started with. */
export interface WorkerInput {
  readonly answer: Uint8Array;
  readonly attachmentName: string | undefined;
}

const { answer, attachmentName } = workerData as WorkerInput;
parentPort?.postMessage(await parseMessage(answer, attachmentName));
