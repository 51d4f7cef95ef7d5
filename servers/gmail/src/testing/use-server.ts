import type { StartedServer } from '@errand/server-kit/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { type Home, makeHome, startServer } from './start-server.ts';

/** What the tests of a file share: starting it for each of them would take most of their time. */
export interface SharedServer {
  mailbox: Mailbox;
  home: Home;
  server: StartedServer;
  call: StartedServer['call'];
  /** Puts a mail from Ada into the mailbox; `rest` is further headers, an empty line and the body. */
  insert(subject: string, rest?: string): Promise<string>;
}

/** Starts a mailbox and its server before the tests of a file, and ends them after the last. */
export function useServer(): SharedServer {
  const shared = {
    async insert(subject: string, rest = '\r\nHello') {
      const headers = [
        'From: Ada <ada@example.org>',
        'To: owner@example.org',
        `Subject: ${subject}`,
        'Date: Tue, 3 Feb 2026 10:00:00 +0100',
      ];
      const { id } = await shared.mailbox.insert(`${headers.join('\r\n')}\r\n${rest}`);
      return id ?? '';
    },
    call: (...given) => shared.server.call(...given),
  } as SharedServer;
  beforeAll(async () => {
    shared.mailbox = await startMailbox();
    shared.home = makeHome(shared.mailbox.url);
    shared.server = await startServer({ home: shared.home, url: shared.mailbox.url });
  });
  afterEach(() => shared.mailbox.proxy.heal());
  afterAll(async () => {
    await shared.server[Symbol.asyncDispose]();
    await shared.mailbox[Symbol.asyncDispose]();
    shared.home[Symbol.dispose]();
  });
  return shared;
}
