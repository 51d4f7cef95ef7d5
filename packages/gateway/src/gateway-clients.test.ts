import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalled, temporaryFolder } from '@errand/machine/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestProgram } from './testing/start-test-program.ts';

const wires = (['stdio', 'http'] as const).flatMap((over) =>
  (['legacy', 'modern'] as const).map((era) => [over, era] as const),
);

describe.each(wires)('the SDK client over %s in the %s era', (over, era) => {
  // One program for all of them: each starts from what the one before has left.
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let journal: string;
  let program: Awaited<ReturnType<typeof startTestProgram>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    journal = join(folder.path, 'journal');
    writeFileSync(journal, '');
    program = await startTestProgram(over, era, { a: { journal }, b: {} });
  });

  afterAll(async () => {
    await program[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('lists the tools of all servers under their names, and calls them', async () => {
    const { client, toolsWhere } = program;
    const tools = await toolsWhere(
      (names) => names.includes('a__echo') && names.includes('b__echo'),
    );
    expect(tools.find((tool) => tool.name === 'a__echo')).toMatchObject({
      description: 'Gives the text back.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
    });
    expect(await client.callTool({ name: 'b__echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
    expect(await client.callTool({ name: 'a__fail', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: 'It did not work.' }],
      isError: true,
    });
  });

  test('receives ten mebibytes', async () => {
    const bytes = 10 * 1024 * 1024;
    const { content } = await program.client.callTool({ name: 'a__large', arguments: { bytes } });
    expect(content[0]).toMatchObject({ type: 'text', text: 'x'.repeat(bytes) });
  });

  test('receives progress', async () => {
    const steps: unknown[] = [];
    await program.client.callTool(
      { name: 'a__progress', arguments: {} },
      { onprogress: (progress) => steps.push(progress) },
    );
    const all = [1, 2, 3].map((n) => ({ progress: n, total: 3, message: `step ${n}` }));
    // Over stdio the SDK's client forgets progress that arrives together with the answer.
    expect(steps).toEqual(over === 'http' ? all : all.slice(0, steps.length));
  });

  test('cancels a call at the server', async () => {
    const { client } = program;
    const stop = new AbortController();
    const call = client.callTool({ name: 'a__hang', arguments: {} }, { signal: stop.signal });
    call.catch(() => {});
    const patience = AbortSignal.timeout(10_000);
    await journalled(journal, ({ tool }) => tool === 'hang', patience);
    stop.abort();
    await journalled(journal, ({ kind }) => kind === 'cancelled', patience);
    await expect(call).rejects.toThrow();
    expect(await client.callTool({ name: 'a__echo', arguments: { text: 'on' } })).toMatchObject({
      content: [{ text: 'on' }],
    });
  });

  test('is notified of changed tools', async () => {
    const { client, toolsWhere } = program;
    await toolsWhere((names) => names.includes('a__change-tools') && !names.includes('a__extra'));
    await client.callTool({ name: 'a__change-tools', arguments: {} });
    await toolsWhere((names) => names.includes('a__extra'));
  });

  test('keeps seeing the tools of a dead server, and calls them while it comes back', async () => {
    const { client, toolsWhere } = program;
    await toolsWhere((names) => names.includes('a__crash') && names.includes('b__echo'));
    const failed = await client.callTool({ name: 'a__crash', arguments: { words: 'farewell' } });
    expect(failed).toMatchObject({ isError: true, _meta: { 'errand/code': 'server_unavailable' } });
    expect(JSON.stringify(failed.content)).toContain('farewell');
    const call = client.callTool({ name: 'a__echo', arguments: { text: 'back' } });
    const { tools: meanwhile } = await client.listTools();
    const names = meanwhile.map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(['a__crash', 'a__echo', 'b__echo']));
    const crash = meanwhile.find((tool) => tool.name === 'a__crash');
    expect(crash?._meta).toMatchObject({ 'errand/state': 'restarting' });
    expect(await call).toMatchObject({ content: [{ text: 'back' }] });
    const { tools: afterwards } = await client.listTools();
    for (const { _meta } of afterwards) expect(_meta).not.toHaveProperty('errand/state');
  });
});
