import type { Answer, StartedServer } from '@errand/server-kit/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Edition } from '../api/bitbucket-api.ts';
import { type Bitbucket, startBitbucket } from './start-bitbucket.ts';
import { startServer } from './start-server.ts';

/** What the tests of an edition share: starting it for each of them would take most of their time. */
export interface SharedBitbucket {
  bitbucket: Bitbucket;
  server: StartedServer;
  call: StartedServer['call'];
  /** Follows cursors to the end and gives all items of a list. */
  all(tool: string, key: string, input: Readonly<Record<string, unknown>>): Promise<Answer[]>;
}

/** Starts a double and a server for it before the tests, and ends them after the last. */
export function useBitbucket(edition: Edition, args: readonly string[] = []): SharedBitbucket {
  const shared = {
    call: (...given) => shared.server.call(...given),
    async all(tool, key, input) {
      const items: Answer[] = [];
      let cursor: string | undefined;
      do {
        const page = await shared.call(tool, { ...input, ...(cursor && { cursor }) });
        if (page.error !== undefined) throw new Error(JSON.stringify(page));
        items.push(...page[key]);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return items;
    },
  } as SharedBitbucket;
  beforeAll(async () => {
    shared.bitbucket = await startBitbucket(edition);
    shared.server = await startServer({ env: shared.bitbucket.env, args });
  });
  afterEach(() => shared.bitbucket.proxy.heal());
  afterAll(async () => {
    await shared.server[Symbol.asyncDispose]();
    await shared.bitbucket[Symbol.asyncDispose]();
  });
  return shared;
}
