import { afterEach, expect, test, vi } from 'vitest';
import { api } from './api.ts';

const fetched = vi.fn<typeof fetch>();
vi.stubGlobal('fetch', fetched);
afterEach(() => fetched.mockReset());

test('an id cannot lead to another route', async () => {
  fetched.mockResolvedValue(Response.json({}));
  await api.servers[':id'].$get({ param: { id: '../calls/stop?x#y' } });
  expect(fetched.mock.lastCall?.[0]).toBe('/api/servers/..%2Fcalls%2Fstop%3Fx%23y');
});

test('a body is sent as JSON and its answer is read', async () => {
  fetched.mockResolvedValue(Response.json({ path: 'a&b.md' }));
  const json = { text: 'x', etag: 'e' };
  expect(await api.note.$put({ query: { path: 'a&b.md' }, json })).toEqual({ path: 'a&b.md' });
  const [url, init] = fetched.mock.lastCall ?? [];
  expect(url).toBe('/api/note?path=a%26b.md');
  expect(init).toMatchObject({ method: 'PUT', body: JSON.stringify(json) });
  expect(new Headers(init?.headers).get('content-type')).toBe('application/json');
});

test('a refusal, a strange status and a program that is gone are told apart', async () => {
  const error = { code: 'conflict', message: 'It was changed.' };
  fetched.mockResolvedValueOnce(Response.json({ error }, { status: 409 }));
  await expect(api.notes.$get()).rejects.toMatchObject({ status: 409, failure: error });
  fetched.mockResolvedValueOnce(new Response('<p>', { status: 502 }));
  await expect(api.notes.$get()).rejects.toMatchObject({ failure: { code: 'internal' } });
  fetched.mockRejectedValueOnce(new TypeError('fetch failed'));
  await expect(api.notes.$get()).rejects.toMatchObject({ failure: { code: 'unreachable' } });
});

test('a request that was aborted is no failure of the program', async () => {
  const aborted = new DOMException('aborted', 'AbortError');
  fetched.mockRejectedValueOnce(aborted);
  const request = api.notes.$get({}, AbortSignal.abort(aborted));
  await expect(request).rejects.toBe(aborted);
});
