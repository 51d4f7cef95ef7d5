import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ForeignSource, ForeignTarget } from './foreign-server.ts';
import { readForeignConfig } from './read-foreign-config.ts';

const vaultFolder = '/home/me/notes';
const here = { os: 'linux', vaultFolder };

/** What an entry becomes here, by the name it has there. */
function readFixture(
  path: string,
  source: Omit<ForeignSource, 'file'> = {},
  target: ForeignTarget = here,
) {
  const url = new URL(`../../../fixtures/foreign/${path}`, import.meta.url);
  const text = readFileSync(url, 'utf8');
  const { servers, problems } = readForeignConfig(text, { file: path, ...source }, target);
  const entries = servers.map(({ origin, server, notes }) => {
    const { id, failureCount, autoDisabled, sectionBindings, ...entry } = server;
    return [origin.name, { ...entry, notes }] as const;
  });
  return { servers: Object.fromEntries(entries), problems };
}

const env = (name: string) => `\${env:${name}}`;
const local = { deploymentType: 'local', transport: 'stdio', enabled: true, notes: [] };
const http = { deploymentType: 'external', transport: 'http', enabled: true, notes: [] };
const sse = { ...http, transport: 'sse' };

test('reads VS Code: comments, inputs, its variables, and what has no counterpart', () => {
  const { servers, problems } = readFixture('vscode/mcp.json', {
    program: 'vscode',
    projectFolder: vaultFolder,
  });
  expect(servers).toEqual({
    github: {
      ...http,
      name: 'github',
      httpConfig: {
        url: 'https://api.githubcopilot.com/mcp/',
        headers: { Authorization: `Bearer \${secret:github-token}` },
      },
      notes: [
        'It asks for "GitHub personal access token", which is the secret "github-token" here. Set it with: errand secrets set github-token',
      ],
    },
    'Playwright Browser': {
      ...local,
      name: 'Playwright-Browser',
      localConfig: {
        command: 'npx',
        args: ['-y', '@playwright/mcp@latest', '--output-dir', './shots'],
        env: {
          HOME_CACHE: `${env('HOME')}/.cache`,
          REGION: `\${secret:region}`,
          RETRIES: '3',
        },
      },
      notes: [
        'It is called "Playwright-Browser" here. A name has only letters (A to Z), digits, "-" and "_".',
        'It asks for "Region of the cluster", which is the secret "region" here. Set it with: errand secrets set region',
      ],
    },
    database: {
      ...local,
      name: 'database',
      localConfig: {
        command: 'uvx',
        args: ['mcp-server-sqlite', '--db-path', 'data/notes.db'],
        cwd: 'tools',
      },
      notes: [expect.stringContaining('file of variables'), expect.stringContaining('sandbox')],
    },
    picker: {
      ...local,
      name: 'picker',
      localConfig: { command: 'node', args: ['server.js', `\${command:extension.pick}`] },
      notes: [expect.stringContaining(`\${command:extension.pick} has no counterpart here`)],
    },
    events: {
      ...sse,
      name: 'events',
      sseConfig: { url: 'http://localhost:8931/sse' },
      notes: [expect.stringContaining('/sse')],
    },
  });
  expect(problems).toEqual([
    'vscode/mcp.json: "socket" is left out. The address unix: cannot be reached.',
  ]);
});

test('reads servers that stand in the settings of VS Code', () => {
  const { servers } = readFixture('vscode/settings.json');
  expect(servers.time?.localConfig).toEqual({ command: 'uvx', args: ['mcp-server-time'] });
});

test('reads a project of Claude Code elsewhere: its variables, its folder', () => {
  const projectFolder = '/home/me/project';
  const { servers } = readFixture('claude-code/.mcp.json', {
    program: 'claude-code',
    projectFolder,
  });
  expect(servers).toEqual({
    linear: {
      ...http,
      name: 'linear',
      httpConfig: {
        url: env('LINEAR_URL'),
        headers: { Authorization: `Bearer ${env('LINEAR_API_KEY')}` },
      },
      notes: [expect.stringContaining('it would use "https://mcp.linear.app/mcp"')],
    },
    filesystem: {
      ...local,
      name: 'filesystem',
      localConfig: {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-filesystem', './notes'],
        cwd: projectFolder,
      },
    },
    remote: {
      ...local,
      name: 'remote',
      localConfig: {
        command: 'npx',
        // The server itself replaces this one, by the variable it is given.
        args: [
          'mcp-remote',
          'https://mcp.example.com/mcp',
          '--header',
          `Authorization:\${AUTH_HEADER}`,
        ],
        env: { AUTH_HEADER: `Bearer ${env('REMOTE_TOKEN')}` },
        cwd: projectFolder,
      },
    },
  });
});

test('reads the user file of Claude Code with what it says about this folder', () => {
  const { servers } = readFixture('claude-code/claude.json', { program: 'claude-code' });
  expect(servers).toEqual({
    sentry: {
      ...http,
      name: 'sentry',
      httpConfig: { url: 'https://mcp.sentry.dev/mcp' },
      enabled: false,
    },
    'local-only': {
      ...local,
      name: 'local-only',
      localConfig: { command: 'python3', args: ['serve.py'] },
    },
  });
});

test('reads Claude Desktop: nothing is replaced, and docker run stays a command', () => {
  const { servers } = readFixture('claude/claude_desktop_config.json', { program: 'claude' });
  expect(servers.github).toEqual({
    ...local,
    name: 'github',
    localConfig: {
      command: 'docker',
      args: [
        'run',
        '-i',
        '--rm',
        '-e',
        'GITHUB_PERSONAL_ACCESS_TOKEN',
        'ghcr.io/github/github-mcp-server',
      ],
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: '<YOUR_TOKEN>' },
    },
  });
  expect(servers.memory?.localConfig?.args?.at(-1)).toBe(`\${KEPT}`);
});

test('reads Copilot CLI', () => {
  const { servers } = readFixture('copilot/mcp-config.json', { program: 'copilot' });
  expect(servers).toEqual({
    playwright: {
      ...local,
      name: 'playwright',
      localConfig: {
        command: 'npx',
        args: ['@playwright/mcp@latest'],
        env: { TOKEN: env('BROWSER_TOKEN') },
      },
    },
    context7: {
      ...http,
      name: 'context7',
      httpConfig: {
        url: 'https://mcp.context7.com/mcp',
        headers: { CONTEXT7_API_KEY: env('CONTEXT7_API_KEY') },
      },
      notes: [expect.stringContaining('All of its tools')],
    },
  });
});

test('reads Cursor', () => {
  const projectFolder = '/home/me/project';
  const { servers } = readFixture('cursor/mcp.json', { program: 'cursor', projectFolder });
  expect(servers).toEqual({
    'project.tools': {
      ...local,
      name: 'project-tools',
      localConfig: {
        command: '/home/me/project/bin/serve',
        args: ['--home', env('HOME'), '--name', `\${workspaceFolderBasename}`],
        env: { API_KEY: env('TOOLS_KEY') },
        cwd: projectFolder,
      },
      notes: [
        expect.stringContaining('It is called "project-tools" here.'),
        expect.stringContaining('file of variables'),
        expect.stringContaining('has no counterpart'),
      ],
    },
    figma: {
      ...http,
      name: 'figma',
      httpConfig: { url: 'https://mcp.figma.com/mcp' },
      notes: [expect.stringContaining('errand servers login')],
    },
  });
});

test('reads Windsurf', () => {
  const { servers } = readFixture('windsurf/mcp_config.json', { program: 'windsurf' });
  expect(servers).toEqual({
    crm: {
      ...http,
      name: 'crm',
      httpConfig: {
        url: 'https://crm.example.com/mcp',
        headers: { Authorization: `Bearer ${env('CRM_TOKEN')}` },
      },
      notes: [expect.stringContaining('All of its tools')],
    },
    'old-events': {
      ...sse,
      name: 'old-events',
      sseConfig: { url: 'https://events.example.com/sse' },
      enabled: false,
      notes: [expect.stringContaining('/sse')],
    },
    python: {
      ...local,
      name: 'python-server',
      localConfig: { command: 'python3', args: ['-m', 'notes_server'] },
      notes: ['It is called "python-server" here. "python" is the language of other code blocks.'],
    },
  });
});

test('reads Codex', () => {
  const { servers } = readFixture('codex/config.toml', { program: 'codex' });
  expect(servers).toEqual({
    docs: {
      ...local,
      name: 'docs',
      localConfig: {
        command: 'npx',
        args: ['-y', '@upstash/context7-mcp'],
        env: {
          CONTEXT7_API_KEY: env('CONTEXT7_API_KEY'),
          HTTP_PROXY: env('HTTP_PROXY'),
          LOG_LEVEL: 'debug',
        },
        cwd: 'tools',
      },
      timeout: 45_500,
    },
    figma: {
      ...http,
      name: 'figma',
      httpConfig: {
        url: 'https://mcp.figma.com/mcp',
        headers: {
          'X-Figma-Region': 'us-east-1',
          'X-Team': env('FIGMA_TEAM'),
          Authorization: `Bearer ${env('FIGMA_OAUTH_TOKEN')}`,
        },
      },
      notes: [expect.stringContaining('All of its tools')],
    },
    'old thing': {
      ...local,
      name: 'old-thing',
      localConfig: { command: 'old-thing' },
      timeout: 300_000,
      enabled: false,
      notes: [
        expect.stringContaining('It is called "old-thing" here.'),
        'Its timeout of 900000 ms becomes 300000 ms.',
      ],
    },
  });
});

test('reads Gemini CLI', () => {
  const { servers } = readFixture('gemini/settings.json', {
    program: 'gemini',
    projectFolder: vaultFolder,
  });
  expect(servers).toMatchObject({
    pythonTools: {
      localConfig: {
        cwd: './mcp-servers/python',
        env: { DATABASE_URL: env('DB_CONNECTION_STRING'), API_KEY: env('EXTERNAL_API_KEY') },
      },
      timeout: 15_000,
      notes: [expect.stringContaining('asked about here')],
    },
    streaming: {
      transport: 'http',
      httpConfig: { headers: { Authorization: `Bearer ${env('TOKEN')}` } },
      timeout: 300_000,
    },
    events: { transport: 'sse', sseConfig: { url: 'http://localhost:8080/stream' } },
    typed: { transport: 'http' },
    experimental: { enabled: false },
  });
});

test('reads Zed in its newer and older form, and says what only Zed can start', () => {
  const { servers, problems } = readFixture('zed/settings.json', { program: 'zed' });
  expect(servers).toEqual({
    'local-server': {
      ...local,
      name: 'local-server',
      localConfig: { command: 'npx', args: ['-y', '@sveltejs/mcp'] },
    },
    'older-form': {
      ...local,
      name: 'older-form',
      localConfig: { command: '/usr/local/bin/serve', args: ['--stdio'], env: { A: 'b' } },
    },
    remote: {
      ...http,
      name: 'remote',
      httpConfig: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
    },
    'switched-off': {
      ...local,
      name: 'switched-off',
      localConfig: { command: 'serve' },
      enabled: false,
    },
  });
  expect(problems).toEqual([
    'zed/settings.json: "mcp-server-postgres" is left out. It is an extension that only Zed can start.',
  ]);
});

test('reads Kiro', () => {
  const { servers } = readFixture('kiro/mcp.json', { program: 'kiro' });
  expect(servers).toEqual({
    'aws-docs': {
      ...local,
      name: 'aws-docs',
      localConfig: {
        command: 'uvx',
        args: ['awslabs.aws-documentation-mcp-server@latest'],
        env: { FASTMCP_LOG_LEVEL: 'ERROR', AWS_PROFILE: env('AWS_PROFILE') },
      },
      timeout: 60_000,
      notes: [expect.stringContaining('asked about here')],
    },
    paused: {
      ...http,
      name: 'paused',
      httpConfig: { url: 'https://example.com/mcp' },
      enabled: false,
    },
  });
});

test('reads the servers of another vault without what its host wrote', () => {
  const { servers, problems } = readFixture(
    'errand/settings.json',
    {},
    {
      ...here,
      takenNames: ['Weather'],
    },
  );
  expect(servers).toEqual({
    weather: {
      name: 'weather-2',
      transport: 'stdio',
      deploymentType: 'managed',
      dockerConfig: { image: 'mcp/weather:1', containerName: 'errand-weather' },
      enabled: true,
      notes: ['It is called "weather-2" here. Another server has its name.'],
    },
  });
  expect(problems[0]).toContain('errand/settings.json:16:7: mcpServers[1].name');
});
