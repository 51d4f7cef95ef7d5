import { expect, test } from 'vitest';
import { readCommandLine, usage } from './command-line.ts';

const declared = {
  vault: { value: 'DIR', description: 'The folder', env: 'VAULT_PATH', required: true },
  frozen: { description: 'Write nothing', env: 'FROZEN' },
} as const;

const read = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  readCommandLine('notes', declared, argv, env);

test('serves standard input when no transport is named', () => {
  expect(read(['--vault', '/v'])).toEqual({
    isStdio: true,
    ports: [],
    host: '127.0.0.1',
    logLevel: 'info',
    selection: { isReadOnly: false, names: [], toolsets: [] },
    options: { vault: '/v', frozen: false },
  });
});

test('serves several transports at once', () => {
  const line = read(['--vault=/v', '--stdio', '--http', '80', '--sse', '0', '--host', '::1']);
  expect(line).toMatchObject({
    isStdio: true,
    ports: [
      { type: 'http', port: 80 },
      { type: 'sse', port: 0 },
    ],
    host: '::1',
  });
});

test('leaves standard input alone when only ports are named', () => {
  expect(read(['--vault', '/v', '--http', '0']).isStdio).toBe(false);
});

test('takes options from the environment when they are not given', () => {
  const env = { VAULT_PATH: '/from-env', FROZEN: '1', MCP_LOG_LEVEL: 'debug' };
  expect(read([], env)).toMatchObject({
    logLevel: 'debug',
    options: { vault: '/from-env', frozen: true },
  });
  expect(read(['--vault', '/given', '--log-level', 'error'], env)).toMatchObject({
    logLevel: 'error',
    options: { vault: '/given' },
  });
  expect(read([], { ...env, FROZEN: 'false' }).options.frozen).toBe(false);
});

test.each([
  [
    ['--vault', '/v', '--port', '1'],
    "Unknown option '--port'. Options are listed by: notes --help",
  ],
  [['--vault', '/v', 'extra'], "Unexpected argument 'extra'"],
  [[], 'Give notes --vault DIR or set VAULT_PATH.'],
  [['--vault', '/v', '--http', 'x'], '--http x is no port. Use a number from 0 to 65535.'],
  [['--vault', '/v', '--sse', '70000'], '--sse 70000 is no port.'],
  [['--vault', '/v', '--log-level', 'loud'], 'There is no log level "loud". Use: silent,'],
])('says what is wrong with %j', (argv, message) => {
  expect(() => read(argv)).toThrow(message);
});

test("refuses an option of the server's own that the kit has already", () => {
  const clash = () => readCommandLine('x', { host: { description: '' } }, [], {});
  expect(clash).toThrow("The option --host is the kit's. Rename yours.");
});

test('lists every option in the help', () => {
  const help = usage('notes', declared);
  expect(help).toContain('--vault DIR          The folder (required, or VAULT_PATH)');
  for (const option of ['stdio', 'http PORT', 'sse PORT', 'host HOST', 'log-level LEVEL']) {
    expect(help).toContain(`--${option}`);
  }
});
