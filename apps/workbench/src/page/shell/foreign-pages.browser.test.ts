import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { ActivitySnapshot, SettingsState } from '../../contract.ts';
import { openPage } from '../testing/open-page.ts';

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

test("a page of another port gets nothing and does nothing, with the person's own cookie", async () => {
  await using opened = await openPage({ files: { 'n.md': 'SECRET', 'p.svg': picture } });
  const { page, workbench } = opened;
  const { origin } = new URL(workbench.served.gatewayUrl);
  await using foreign = await servePage('<!doctype html><title>Foreign</title>');
  for (const host of ['127.0.0.1', 'localhost']) {
    const tab = await page.context().newPage();
    await tab.goto(`http://${host}:${foreign.port}/`);
    const tried = await tab.evaluate(attack, { origin, gateway: workbench.served.gatewayUrl });
    expect(tried).toEqual({
      'read the state': 'refused',
      'read a note': 'refused',
      'change settings': 'refused',
      'ask the gateway': 'refused',
      'show a picture': 'refused',
      'run the script': 'refused',
      'follow the events': 'refused',
      'look into a frame': 'refused',
    });
    const frame = tab.frames().find((each) => each !== tab.mainFrame());
    expect(await frame?.evaluate('document.title')).not.toContain('Errand');
    await tab.evaluate(sendBlindly, origin);
    const opening = tab.waitForEvent('popup');
    await tab.evaluate((address) => void window.open(address), origin);
    const popup = await opening;
    await popup.waitForURL(`${origin}/`);
    expect(await popup.evaluate('window.opener')).toBeNull();
    await popup.close();
    await tab.close();
  }
  const api = await workbench.open();
  expect(await api.get<ActivitySnapshot>('/calls')).toMatchObject({ isStopped: false });
  expect(await api.get<SettingsState>('/settings')).toMatchObject({ values: { logDays: 30 } });
  expect(await workbench.readNote('n.md')).toBe('SECRET');
});

test('the content policy has no unsafe entries, and inline and foreign code does not run', async () => {
  await using opened = await openPage();
  const { page } = opened;
  await using foreign = await servePage('window.ran = "foreign script"');
  const policy = (await page.reload())?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*|https?:|nonce|sha\d/);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const address = `http://127.0.0.1:${foreign.port}`;
  expect(await page.evaluate(smuggle, address)).toEqual({ ran: null, colour: 'unchanged' });
  expect(foreign.asked).toEqual([]);
  expect(opened.complaints.length).toBeGreaterThan(4);
});

/** What a page of somebody else can try. Runs in the browser. */
async function attack({ origin, gateway }: { origin: string; gateway: string }) {
  const outcome = async (work: () => Promise<unknown>) => {
    try {
      await work();
      return 'got through';
    } catch {
      return 'refused';
    }
  };
  const credentials = 'include';
  const load = (tag: 'img' | 'script', path: string) =>
    new Promise((resolve, reject) => {
      const element = document.createElement(tag);
      element.onload = resolve;
      element.onerror = reject;
      element.src = origin + path;
      document.head.append(element);
    });
  const json = { 'Content-Type': 'application/json' };
  const patch = { method: 'PATCH', credentials, headers: json, body: '{"logDays":1}' } as const;
  return {
    'read the state': await outcome(() => fetch(`${origin}/api/state`, { credentials })),
    'read a note': await outcome(() => fetch(`${origin}/api/note?path=n.md`, { credentials })),
    'change settings': await outcome(() => fetch(`${origin}/api/settings`, patch)),
    'ask the gateway': await outcome(() =>
      fetch(gateway, { method: 'POST', headers: json, body: '{"jsonrpc":"2.0"}' }),
    ),
    'show a picture': await outcome(() => load('img', '/api/file?path=p.svg')),
    'run the script': await outcome(() => load('script', '/api/notes')),
    'follow the events': await outcome(
      () =>
        new Promise((resolve, reject) => {
          const stream = new EventSource(`${origin}/api/events`, { withCredentials: true });
          stream.onopen = resolve;
          stream.onerror = (event) => {
            stream.close();
            reject(event);
          };
        }),
    ),
    'look into a frame': await outcome(async () => {
      const frame = document.createElement('iframe');
      frame.src = `${origin}/`;
      const loaded = new Promise((resolve) => {
        frame.onload = resolve;
      });
      document.body.append(frame);
      await loaded;
      return frame.contentWindow?.document.title;
    }),
  };
}

/** What needs no permission to be sent; only its effects count. Runs in the browser. */
async function sendBlindly(origin: string) {
  const blind = { method: 'POST', credentials: 'include', mode: 'no-cors' } as const;
  await fetch(`${origin}/api/calls/stop`, blind).catch(() => {});
  await fetch(`${origin}/api/calls/stop`, { ...blind, body: '{}' }).catch(() => {});
  const targets = [
    '/api/calls/stop',
    '/api/settings',
    '/api/note?path=n.md',
    '/api/sessions/reset',
  ];
  for (const [index, path] of targets.entries()) {
    const frame = document.createElement('iframe');
    frame.name = `target-${index}`;
    const form = document.createElement('form');
    form.method = 'post';
    form.enctype = 'text/plain';
    form.action = origin + path;
    form.target = frame.name;
    const field = document.createElement('input');
    field.name = '{"logDays":1,"x":"';
    field.value = '"}';
    form.append(field);
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => {
      frame.onload = resolve;
    });
    form.submit();
    await loaded;
  }
}

/** Code and loads as a note or an answer would bring them, were they not cleaned. Runs in the browser. */
async function smuggle(address: string) {
  const inline = document.createElement('script');
  inline.textContent = 'window.ran = "inline script"';
  const foreign = document.createElement('script');
  foreign.src = `${address}/x.js`;
  const image = document.createElement('img');
  image.setAttribute('onerror', 'window.ran = "handler"');
  image.src = `${address}/x.png`;
  const link = document.createElement('a');
  link.href = 'javascript:window.ran = "link"';
  const coloured = document.createElement('p');
  const before = getComputedStyle(document.body).color;
  coloured.setAttribute('style', 'color: rgb(1, 2, 3)');
  const style = document.createElement('style');
  style.textContent = 'p { color: rgb(1, 2, 3) !important }';
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = `${address}/x.css`;
  const failed = new Promise((resolve) => {
    foreign.onerror = resolve;
  });
  document.body.append(inline, foreign, image, link, coloured, style, sheet);
  link.click();
  await failed;
  await fetch(`${address}/x.json`).catch(() => {});
  const { color } = getComputedStyle(coloured);
  const colour = color === before ? 'unchanged' : color;
  return { ran: (window as { ran?: string }).ran ?? null, colour };
}

/** A web server of somebody else on this machine. */
async function servePage(text: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'Content-Type': 'text/html', 'Access-Control-Allow-Origin': '*' });
    response.end(text);
  });
  server.listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
