import { localServer, memoryHost, request } from '@errand/host/testing';
import { expect, test, vi } from 'vitest';
import { type EditorTools, LentEditor } from './lent-editor.ts';

const noFault = (error: unknown) => {
  throw error;
};

function editorTools(change: Partial<EditorTools> = {}): EditorTools {
  return {
    list: () => [{ name: 'open', description: 'Opens a file.', inputSchema: undefined }],
    invoke: async () => [{ value: 'opened' }],
    ...change,
  };
}

const call = () => request({ serverId: 'editor', toolName: 'open', parameters: {} });

test('lends the tools of the editor until it is disposed of', async () => {
  await using memory = await memoryHost([]);
  const lent = new LentEditor(memory.host, editorTools(), noFault);
  expect(memory.host.servers.find('editor')).toMatchObject({ deploymentType: 'face' });
  expect(await memory.host.execute(call())).toMatchObject({
    status: 'success',
    result: { content: 'opened' },
  });
  lent[Symbol.dispose]();
  expect(memory.host.servers.find('editor')).toBeUndefined();
});

test('a server of the same name goes before, and the tools are lent once it is gone', async () => {
  await using memory = await memoryHost([localServer('editor')]);
  using _lent = new LentEditor(memory.host, editorTools(), noFault);
  expect(memory.host.servers.list()).toMatchObject([{ deploymentType: 'local' }]);
  await memory.change({ mcpServers: [] });
  await vi.waitFor(() =>
    expect(memory.host.servers.list()).toMatchObject([{ deploymentType: 'face' }]),
  );
});

test('tells that the tools have changed', async () => {
  await using memory = await memoryHost([]);
  let names = ['open'];
  const list = () => names.map((name) => ({ name, description: '', inputSchema: undefined }));
  using _lent = new LentEditor(memory.host, editorTools({ list }), noFault, 5);
  await memory.host.execute(call());
  names = ['open', 'close'];
  await vi.waitFor(() => {
    void memory.clock.advance(1_000);
    expect(memory.host.servers.knownTools('editor').map(({ name }) => name)).toEqual(names);
  });
});

test('a refusal of the person and a failure of the tool are errors that say so', async () => {
  await using memory = await memoryHost([]);
  const invoke = vi.fn<EditorTools['invoke']>();
  using _lent = new LentEditor(memory.host, editorTools({ invoke }), noFault);
  invoke.mockResolvedValueOnce(undefined);
  expect(JSON.stringify(await memory.host.execute(call()))).toContain('was not allowed');
  invoke.mockRejectedValueOnce(new Error('No such file'));
  expect(JSON.stringify(await memory.host.execute(call()))).toContain('No such file');
});
