import { joinPath, type Platform } from '../platform.ts';
import type { ForeignProgramName } from './foreign-programs.ts';

/** A file in which another program keeps servers; it need not exist. */
export interface ForeignFile {
  readonly program: ForeignProgramName;
  readonly path: string;
  /** The project it belongs to; nothing for a file of the user. */
  readonly projectFolder?: string;
}

/** Where other programs keep the servers of a user and, if one is given, of a project. */
export function foreignConfigFiles(
  platform: Platform,
  projectFolder?: string,
): readonly ForeignFile[] {
  const user = userFiles(platform);
  if (projectFolder === undefined) return user;
  const project = projectPaths.map(([program, path]) => ({
    program,
    path: joinPath(platform.os, projectFolder, ...path.split('/')),
    projectFolder,
  }));
  return [...project, ...user];
}

const projectPaths = [
  ['vscode', '.vscode/mcp.json'],
  ['claude-code', '.mcp.json'],
  ['copilot', '.github/mcp.json'],
  ['cursor', '.cursor/mcp.json'],
  ['codex', '.codex/config.toml'],
  ['gemini', '.gemini/settings.json'],
  ['zed', '.zed/settings.json'],
  ['kiro', '.kiro/settings/mcp.json'],
] as const;

function userFiles({ os, home, env }: Platform): readonly ForeignFile[] {
  const inHome = (...names: string[]) => joinPath(os, home, ...names);
  const xdg = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : inHome('.config');
  const roaming = env.APPDATA || inHome('AppData', 'Roaming');
  const apps = { win32: roaming, darwin: inHome('Library', 'Application Support') }[os] ?? xdg;
  const zed = { win32: joinPath(os, roaming, 'Zed'), darwin: inHome('.config', 'zed') }[os];
  return [
    ...['Code', 'Code - Insiders', 'VSCodium'].map((edition) => ({
      program: 'vscode' as const,
      path: joinPath(os, apps, edition, 'User', 'mcp.json'),
    })),
    { program: 'claude', path: joinPath(os, apps, 'Claude', 'claude_desktop_config.json') },
    { program: 'claude-code', path: joinPath(os, env.CLAUDE_CONFIG_DIR || home, '.claude.json') },
    {
      program: 'copilot',
      path: joinPath(os, env.COPILOT_HOME || inHome('.copilot'), 'mcp-config.json'),
    },
    { program: 'cursor', path: inHome('.cursor', 'mcp.json') },
    { program: 'windsurf', path: inHome('.codeium', 'windsurf', 'mcp_config.json') },
    { program: 'codex', path: joinPath(os, env.CODEX_HOME || inHome('.codex'), 'config.toml') },
    { program: 'gemini', path: inHome('.gemini', 'settings.json') },
    { program: 'zed', path: joinPath(os, zed ?? joinPath(os, xdg, 'zed'), 'settings.json') },
    { program: 'kiro', path: inHome('.kiro', 'settings', 'mcp.json') },
  ];
}
