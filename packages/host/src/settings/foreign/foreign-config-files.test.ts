import { expect, test } from 'vitest';
import { foreignConfigFiles } from './foreign-config-files.ts';

const paths = (...args: Parameters<typeof foreignConfigFiles>) =>
  foreignConfigFiles(...args).map(({ program, path }) => `${program} ${path}`);

test('knows the places on Linux', () => {
  expect(paths({ os: 'linux', home: '/home/me', env: {} })).toEqual([
    'vscode /home/me/.config/Code/User/mcp.json',
    'vscode /home/me/.config/Code - Insiders/User/mcp.json',
    'vscode /home/me/.config/VSCodium/User/mcp.json',
    'claude /home/me/.config/Claude/claude_desktop_config.json',
    'claude-code /home/me/.claude.json',
    'copilot /home/me/.copilot/mcp-config.json',
    'cursor /home/me/.cursor/mcp.json',
    'windsurf /home/me/.codeium/windsurf/mcp_config.json',
    'codex /home/me/.codex/config.toml',
    'gemini /home/me/.gemini/settings.json',
    'zed /home/me/.config/zed/settings.json',
    'kiro /home/me/.kiro/settings/mcp.json',
  ]);
});

test('knows the places on macOS', () => {
  const found = paths({ os: 'darwin', home: '/Users/me', env: {} });
  expect(found).toContain('vscode /Users/me/Library/Application Support/Code/User/mcp.json');
  expect(found).toContain(
    'claude /Users/me/Library/Application Support/Claude/claude_desktop_config.json',
  );
  expect(found).toContain('zed /Users/me/.config/zed/settings.json');
});

test('knows the places on Windows', () => {
  const env = { APPDATA: 'D:\\Roaming' };
  const found = paths({ os: 'win32', home: 'C:\\Users\\me', env });
  expect(found).toContain('vscode D:\\Roaming\\Code\\User\\mcp.json');
  expect(found).toContain('claude D:\\Roaming\\Claude\\claude_desktop_config.json');
  expect(found).toContain('zed D:\\Roaming\\Zed\\settings.json');
  expect(found).toContain('cursor C:\\Users\\me\\.cursor\\mcp.json');
});

test('follows the variables by which people move them', () => {
  const env = {
    XDG_CONFIG_HOME: '/c',
    CODEX_HOME: '/codex',
    COPILOT_HOME: '/copilot',
    CLAUDE_CONFIG_DIR: '/claude',
  };
  const found = paths({ os: 'linux', home: '/home/me', env });
  expect(found).toEqual(
    expect.arrayContaining([
      'vscode /c/Code/User/mcp.json',
      'zed /c/zed/settings.json',
      'codex /codex/config.toml',
      'copilot /copilot/mcp-config.json',
      'claude-code /claude/.claude.json',
    ]),
  );
});

test('looks into a project first', () => {
  const [first, ...others] = foreignConfigFiles(
    { os: 'linux', home: '/home/me', env: {} },
    '/home/me/notes',
  );
  expect(first).toEqual({
    program: 'vscode',
    path: '/home/me/notes/.vscode/mcp.json',
    projectFolder: '/home/me/notes',
  });
  const project = others.filter(({ projectFolder }) => projectFolder !== undefined);
  expect(project.map(({ path }) => path.slice('/home/me/notes/'.length))).toEqual([
    '.mcp.json',
    '.github/mcp.json',
    '.cursor/mcp.json',
    '.codex/config.toml',
    '.gemini/settings.json',
    '.zed/settings.json',
    '.kiro/settings/mcp.json',
  ]);
});
