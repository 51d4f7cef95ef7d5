import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openAskVault } from './ask-vault.ts';
import { patient, run } from './errand-process.ts';

const echo = { name: 'fix__echo', arguments: { text: 'hello' } };
const write = { name: 'fix__write', arguments: {} };

test(
  'a question is answered on standard output, with the calls on standard error',
  patient,
  async () => {
    await using fixture = await openAskVault([
      { text: ['I ask.'], calls: [echo], tokens: { input: 50, output: 7 } },
      { text: ['It says ', 'hello.'] },
    ]);
    const { code, stdout, stderr } = await fixture.vault.errand('ask', 'What', 'does it say?');
    expect(stdout).toBe('I ask.\nIt says hello.\n');
    expect(stderr).toMatch(
      /→ fix echo text=hello\n {2}fix echo: answered in .*\n\(60 tokens in, 12 out, 1 call, .*\)\n$/,
    );
    expect(code).toBe(0);
    expect(JSON.stringify(fixture.model.requests[0]?.body)).toContain('What does it say?');
    expect(fixture.model.requests[0]?.headers['x-api-key']).toBe('sk-very-secret');
  },
);

test('--json writes each event on a line of its own', patient, async () => {
  await using fixture = await openAskVault([{ calls: [echo] }, { text: ['Done.'] }]);
  const { code, stdout } = await fixture.vault.errand('ask', 'q', '--json');
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string });
  expect(events.map(({ kind }) => kind)).toEqual([
    'round-started',
    'round-ended',
    'call-asked',
    'call-started',
    'call-ended',
    'round-started',
    'text-added',
    'round-ended',
    'turn-ended',
  ]);
  expect(events[4]).toMatchObject({ outcome: { status: 'success', content: 'hello' } });
  expect(events.at(-1)).toMatchObject({ end: { state: 'answered', text: 'Done.' } });
  expect(code).toBe(0);
});

test('without a person or --yes nothing is changed; with --yes it is', patient, async () => {
  await using fixture = await openAskVault([
    { calls: [write] },
    { text: ['Pity.'] },
    { calls: [write] },
    { text: ['Done.'] },
  ]);
  const denied = await fixture.vault.errand('ask', 'q');
  expect(denied.stderr).toContain('was not allowed: there is nobody to ask. --yes would allow it');
  expect(fixture.calls()).toEqual([]);
  const allowed = await fixture.vault.errand('ask', 'q', '--yes');
  expect(allowed.stdout).toBe('Done.\n');
  expect(fixture.calls()).toMatchObject([{ tool: 'write' }]);
  const { json } = await fixture.vault.json('history');
  expect(json).toMatchObject({
    calls: [
      { server: 'Claude', tool: 'scripted' },
      { source: 'ai-autonomous', server: 'fix', tool: 'write', status: 'success' },
      { server: 'Claude' },
      { server: 'Claude' },
      { source: 'ai-autonomous', tool: 'write', error: { code: 'approval_denied' } },
      { server: 'Claude' },
    ],
  });
});

test(
  'the question in a note is answered there, and the next one knows of it',
  patient,
  async () => {
    await using fixture = await openAskVault(
      [{ text: ['I ask.'], calls: [echo] }, { text: ['Hello.'] }, { text: ['Yes.'] }],
      '# Trip\n\n#User : What does it say?\n\n### Rest\n\nmine\n',
    );
    const first = await fixture.vault.errand('ask', '--note', 'Trip.md');
    expect(first).toMatchObject({ code: 0, stdout: 'I ask.\nHello.\n' });
    const second = await fixture.vault.errand('ask', '--note', 'Trip.md:3', 'Sure?');
    expect(second).toMatchObject({ code: 0, stdout: 'Yes.\n' });
    expect(fixture.vault.read('Trip.md').replace(/(req|sum)=[0-9a-f]{10}/g, '$1=…')).toBe(`# Trip

#User : What does it say?

#Claude : I ask.

\`\`\`fix
tool: echo
text: hello
\`\`\`

\`\`\`mcp-result req=… sum=… type=text
hello
\`\`\`

Hello.

#User : Sure?

#Claude : Yes.

### Rest

mine
`);
    const { json } = await fixture.vault.json('blocks', 'Trip.md');
    expect(json).toMatchObject({ blocks: [{ tool: 'echo', state: 'fresh' }] });
    const again = await fixture.vault.errand('ask', '--note', 'Trip.md');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('#User :') });
  },
);

test('Ctrl-C in the middle of an answer leaves the note whole', patient, async () => {
  const hold = Promise.withResolvers<void>();
  await using fixture = await openAskVault(
    [{ text: ['One.\n\nTwo', ' more'], hold: hold.promise }],
    '#User : q\n\n```js\nmine\n```\n',
  );
  using asking = fixture.vault.start('ask', '--note', 'Trip.md');
  await asking.says(/Two/);
  asking.child.kill('SIGINT');
  expect(await asking.ended).toMatchObject({ code: 130 });
  hold.resolve();
  expect(fixture.vault.read('Trip.md')).toBe(
    '#User : q\n\n```js\nmine\n```\n\n#Claude : One.\n\nTwo\n\n*(Stopped here.)*\n',
  );
});

test('Ctrl-C before an answer came says how to ask again', patient, async () => {
  await using fixture = await openAskVault([]);
  fixture.model.always({ status: 503, message: 'busy' });
  using asking = fixture.vault.start('ask', '--note', 'Trip.md', 'Which?');
  await expect.poll(() => fixture.model.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);
  asking.child.kill('SIGINT');
  const { code, stderr } = await asking.ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /Stopped before an answer came\. .*\nThe question is in the note\. Try again with: errand ask --note Trip\.md\n$/,
  );
  expect(fixture.vault.read('Trip.md')).toBe('# Trip\n\n#User : Which?\n');
});

test('takes piped input as part of the question, or as the question', patient, async () => {
  await using fixture = await openAskVault([{ text: ['A.'] }, { text: ['B.'] }]);
  const type = (command: string) =>
    run('sh', ['-c', command.replace('errand', fixture.vault.commandLine())], fixture.vault);
  await type('echo "the text" | errand ask "Make it shorter."');
  await type('echo "only this" | errand ask');
  const [first, second] = fixture.model.requests.map(({ body }) => JSON.stringify(body.messages));
  expect(first).toContain('Make it shorter.\\n\\n```text\\nthe text\\n```');
  expect(second).toContain('only this');
});

test.each([
  ['no model', { assistants: [] }, ['ask', 'q'], /ollama pull[\s\S]*errand assistants add Claude/],
  ['no question', {}, ['ask'], /errand ask "/],
  ['an unknown assistant', {}, ['ask', 'q', '--assistant', 'Bob'], /"Bob"\. There are: Claude/],
])('reports %s with what to do', patient, async (_what, settings, args, message) => {
  await using fixture = await openAskVault([]);
  if ('assistants' in settings) {
    fixture.vault.writeSettings(JSON.stringify({ version: 1, ...settings }));
  }
  const { code, stdout, stderr } = await fixture.vault.errand(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test(
  'a key that is not set, or not accepted, ends with 2 and shows no secret',
  patient,
  async () => {
    await using fixture = await openAskVault([{ status: 401, message: 'bad key: sk-very-secret' }]);
    const refused = await fixture.vault.errand('ask', 'q');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('MODEL_KEY') });
    expect(refused.stderr).not.toContain('sk-very-secret');
    delete fixture.vault.env.MODEL_KEY;
    const missing = await fixture.vault.errand('ask', 'q');
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('MODEL_KEY') });
  },
);

test(
  'a stranger’s vault sends nothing anywhere before the person has agreed',
  patient,
  async () => {
    await using fixture = await openAskVault([{ text: ['Hello.'] }]);
    delete fixture.vault.env.ERRAND_TRUST;
    const refused = await fixture.vault.errand('ask', 'q');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('errand trust') });
    expect(refused.stderr).toContain(fixture.model.url);
    expect(fixture.model.requests).toEqual([]);
    const shown = await fixture.vault.errand('trust', '--list');
    expect(shown.stdout).toContain(
      `to ${fixture.model.url}, model "scripted"\n│ with \${env:MODEL_KEY}`,
    );
    expect(await fixture.vault.json('trust', '--yes')).toMatchObject({
      code: 0,
      json: { assistants: [{ name: 'Claude', verdict: 'trusted' }] },
    });
    expect(await fixture.vault.errand('ask', 'q')).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  },
);

test(
  'needs approval before a vault stops asking about calls of a model, also while it is in use',
  patient,
  async () => {
    const held = Promise.withResolvers<void>();
    await using fixture = await openAskVault([
      { text: ['I am', ' thinking.'], hold: held.promise, calls: [write] },
      { text: ['Pity.'] },
    ]);
    const { vault } = fixture;
    delete vault.env.ERRAND_TRUST;
    await vault.errand('trust', '--yes');
    using asked = vault.start('ask', 'Write, please.');
    await asked.says(/I am/);
    const { mcpServers, ...settings } = vault.settings();
    const lax = mcpServers.map((server) => ({ ...server, approval: 'allow' }));
    // The mistake is told as soon as the file was read again.
    vault.writeSettings(JSON.stringify({ ...settings, mcpServers: lax, logDays: 'many' }));
    await asked.says(/logDays/);
    held.resolve();
    const { code, stdout, stderr } = await asked.ended;
    expect(fixture.calls()).toEqual([]);
    expect(stderr).toContain('fix write was not allowed: there is nobody to ask');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'I am thinking.\nPity.\n' });
  },
);

test(
  'an assistant is added with its key as a secret, tested, listed and removed',
  patient,
  async () => {
    await using fixture = await openAskVault([{ text: ['ready'] }]);
    const { vault, model } = fixture;
    delete vault.env.ERRAND_TRUST;
    const { baseUrl = '' } = model.assistant('openai-compatible');
    const options = ['--base-url', baseUrl, '--model', 'm', '--ask-key'];
    const added = vault.start('assistants', 'add', 'Router', ...options);
    added.child.stdin?.end('sk-typed-key\n');
    expect(await added.ended).toMatchObject({
      code: 0,
      stdout: 'Added Router. Test it with: errand assistants test Router\n',
    });
    expect(vault.read('.errand/settings.json')).not.toContain('sk-typed-key');
    const tested = await vault.errand('assistants', 'test', 'router');
    expect(tested.stdout).toMatch(/^Router works \(.*\)\.\n$/);
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-typed-key');
    expect((await vault.json('assistants')).json).toMatchObject({
      assistants: [{ trust: 'new' }, { name: 'Router', model: 'm', baseUrl, trust: 'trusted' }],
    });
    const unreachable = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'm'];
    await vault.errand('assistants', 'add', 'Gone', ...unreachable);
    expect(await vault.json('assistants', 'test', 'Gone')).toMatchObject({
      code: 1,
      json: { name: 'Gone', error: { code: 'model_unreachable' } },
    });
    writeFileSync(vault.path('Asked.md'), '# A\n');
    const inNote = ['--assistant', 'Gone', '--note', 'Asked.md'];
    expect(await vault.errand('ask', ...inNote, 'Which?')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Try again with: errand ask --note Asked\.md\n$/),
    });
    expect(await vault.errand('assistants', 'remove', 'router')).toMatchObject({
      code: 0,
      stdout: 'Removed Router.\n',
      stderr: expect.stringMatching(/^Its key stays\. Forget it with: errand secrets remove /),
    });
  },
);
