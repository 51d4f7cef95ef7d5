import { stringify } from 'smol-toml';
import { type ForeignProgramName, foreignPrograms } from './foreign-programs.ts';

/** How another program reaches us: as an address, with what it has to present there, or by starting us. */
export type OwnEntry =
  | { readonly kind: 'http'; readonly url: string; readonly token?: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] };

/** The configuration by which another program uses us as its server "errand". */
export function writeForeignConfig(program: ForeignProgramName, entry: OwnEntry): string {
  const [place] = foreignPrograms[program].places;
  const config = { [place.join('.')]: { errand: fieldsOf(program, entry) } };
  return program === 'codex' ? stringify(config) : `${JSON.stringify(config, undefined, 2)}\n`;
}

/** Whether a program's file can name an address, and not only a command. */
export function takesAddresses(program: ForeignProgramName): boolean {
  return program !== 'claude';
}

function fieldsOf(program: ForeignProgramName, entry: OwnEntry): Readonly<Record<string, unknown>> {
  if (entry.kind === 'stdio') {
    const { command, args } = entry;
    return { ...typeOf(program, 'stdio'), command, args };
  }
  const { url, token } = entry;
  const headers = token !== undefined && { Authorization: `Bearer ${token}` };
  return {
    ...typeOf(program, 'http'),
    [urlFields[program] ?? 'url']: url,
    ...(headers && { [program === 'codex' ? 'http_headers' : 'headers']: headers }),
  };
}

function typeOf(program: ForeignProgramName, type: 'http' | 'stdio'): object {
  if (program === 'copilot') return { type: type === 'stdio' ? 'local' : type, tools: ['*'] };
  const isNamed = program === 'vscode' || (program === 'claude-code' && type === 'http');
  return isNamed || program === 'pasted' ? { type } : {};
}

const urlFields: Readonly<Partial<Record<ForeignProgramName, string>>> = {
  windsurf: 'serverUrl',
  gemini: 'httpUrl',
};
