import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { deliverMessage } from './deliver-message.ts';

const messages: readonly JSONRPCMessage[] = [
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
];

test.each(messages)(
  'a receiver that fails on %j ends the connection and nothing else',
  async (message) => {
    const ends: string[] = [];
    const transport: Transport = {
      start: async () => undefined,
      send: async () => undefined,
      close: async () => void ends.push('closed'),
      onmessage: () => {
        throw new Error('a defect');
      },
    };
    deliverMessage(transport, message);
    await Promise.resolve();
    expect(ends).toEqual(['closed']);
    deliverMessage(transport, message, (error) => ends.push(String(error)));
    await Promise.resolve();
    expect(ends).toEqual(['closed', 'Error: a defect']);
  },
);
