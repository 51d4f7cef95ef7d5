import { constants, setPriority } from 'node:os';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core';

/** How long a browser waits for the next test; the process that started it takes it along in any case. */
const idle = 1_000;

let browser: Promise<Browser> | undefined;
let users = 0;
let closing: NodeJS.Timeout | undefined;

/** A context of its own in the one browser of this process, which is closed when nobody uses it any more. */
export async function openContext(look: BrowserContextOptions = {}): Promise<BrowserContext> {
  clearTimeout(closing);
  users += 1;
  browser ??= chromium.launch({
    executablePath: process.env.ERRAND_TEST_CHROMIUM ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-component-update'],
  });
  try {
    const context = await (await browser).newContext(look);
    context.once('close', leave);
    return context;
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * Lets the scripts of pages go behind everything else. A page that waits for its Node looks for the answer all
 * the time: it must not keep those who bring it from the processor.
 */
export async function yieldPages(context: BrowserContext): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {};
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue;
    try {
      // Of a process that is named, only its first thread is meant: the one that runs the page.
      setPriority(id, constants.priority.PRIORITY_LOW);
    } catch {
      // A page of another test that has just been closed.
    }
  }
  await session?.detach();
}

function leave(): void {
  users -= 1;
  if (users > 0) return;
  closing = setTimeout(() => {
    const left = browser;
    browser = undefined;
    void left?.then((each) => each.close());
  }, idle);
}
