import { suggestServerName } from '@errand/host';
import type { ServerDraft } from './server-draft.ts';

/** A name for a server from what was typed so far; empty while there is too little. */
export function proposeName(draft: ServerDraft, taken: readonly string[]): string {
  const name = legal(sourceOf(draft));
  return name === '' ? '' : suggestServerName(name, taken);
}

function sourceOf({ kind, command, image, url }: ServerDraft): string {
  switch (kind) {
    case 'command':
      return withoutNoise(fromCommand(command));
    case 'image':
      return withoutNoise(fromImage(image));
    case 'url':
      return fromUrl(url);
  }
}

/** Programs that run what their first argument names. */
const runners = new Set([
  ...['npx', 'bunx', 'uvx', 'pipx', 'pnpm', 'yarn', 'npm', 'uv', 'bun', 'deno', 'node'],
  ...['python', 'python3', 'docker', 'podman', 'dlx', 'run', 'exec', 'x', 'tool', 'cmd', '/c'],
]);

function fromCommand(command: string): string {
  const words = (command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^["']|["']$/g, ''),
  );
  const named = words.find((word) => !word.startsWith('-') && !runners.has(programOf(word)));
  return withoutVersion(lastPart(named ?? words[0] ?? ''));
}

function programOf(word: string): string {
  return lastPart(word).replace(/\.(?:exe|cmd)$/i, '');
}

function fromImage(image: string): string {
  return lastPart(image.replace(/@.*$/, '').replace(/:[^/]*$/, ''));
}

/** `https://mcp.linear.app/mcp` is linear; this machine is told by its port. */
function fromUrl(url: string): string {
  if (!URL.canParse(url)) return '';
  const { hostname, port } = new URL(url);
  const isLocal = /^(?:localhost|127\.|\[)/.test(hostname);
  if (isLocal) return port === '' ? 'local' : `local-${port}`;
  const parts = hostname.split('.').filter((part) => !/^(?:mcp|www|api|app)$/.test(part));
  return parts.length > 1 ? (parts.at(-2) ?? '') : (parts[0] ?? '');
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
}

function withoutVersion(name: string): string {
  return name.replace(/(?<=.)@.*$/, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd|sh|rb)$/i, '');
}

/** What nearly every server has in its name says nothing. */
function withoutNoise(name: string): string {
  const plain = name
    .split(/[-_.\s]+/)
    .filter((part) => !/^(?:mcp|server|the)$/i.test(part))
    .join('-');
  return plain === '' ? name : plain;
}

function legal(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/_{2,}/g, '_');
  return plain.replace(/^[-_]+|[-_]+$/g, '').slice(0, 60);
}
