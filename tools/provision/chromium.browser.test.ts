import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';

test('renders a page on loopback and runs its script', async () => {
  const page = `<h1>Errand</h1><script>document.querySelector('h1').append(' ' + 6 * 7)</script>`;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: process.env.ERRAND_TEST_CHROMIUM ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-component-update'],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await tab.textContent('h1')).toBe('Errand 42');
  } finally {
    await browser.close();
    server.close();
  }
});
