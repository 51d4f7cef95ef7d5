/** Whether a command downloads, when it must, the program it then starts. */
export function isPackageRunner(command: string): boolean {
  const name = command.split(/[\\/]/).at(-1) ?? command;
  return runners.has(name.toLowerCase().replace(/\.(cmd|exe|bat|ps1)$/, ''));
}

const runners = new Set([
  ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx', 'deno'],
  ...['uv', 'uvx', 'pipx', 'docker', 'podman', 'nix', 'go', 'cargo', 'dnx'],
]);
