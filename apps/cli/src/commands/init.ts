import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ServerConfig } from '@errand/host';
import { openSettingsFile } from '@errand/machine/node';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';

const note = 'Welcome to Errand.md';
const noteText = `# Welcome to Errand

The block below names a server, \`vault\`, and one of its tools. Run it with:

    errand run "${note}"

\`\`\`vault
tool: list_notes
directory: ""
\`\`\`
`;

/** `errand init`: makes a folder a vault, and never overwrites anything. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description(
      'Make a folder a vault: settings with the vault server registered, and an example note.',
    )
    .argument('[dir]', 'the folder', '.')
    .option('--json', 'print one JSON document, and nothing else, to standard output')
    .addHelpText('after', '\nExamples:\n  errand init\n  errand init ~/notes')
    .action(async (dir: string, options: { readonly json?: boolean }) => {
      const { terminal, signal } = context;
      const folder = resolve(terminal.cwd, dir);
      await mkdir(folder, { recursive: true });
      const created: string[] = [];
      const settings = openSettingsFile(folder);
      if (!existsSync(join(folder, settings.name))) {
        const vaultServer = newVaultServer();
        const add = (servers: readonly ServerConfig[]) => [...servers, vaultServer];
        await settings.save(
          (stored) => ({ ...stored, mcpServers: add(stored.mcpServers) }),
          signal,
        );
        created.push(settings.name);
      }
      // Exclusive: what somebody wrote under this name stays.
      const made = await writeFile(join(folder, note), noteText, { flag: 'wx' }).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false;
          throw error;
        },
      );
      if (made) created.push(note);
      terminal.stdout.write(
        options.json
          ? `${JSON.stringify({ folder, created }, undefined, 2)}\n`
          : describe(folder, created),
      );
      context.end(exitCode.ok);
    });
}

function newVaultServer(): ServerConfig {
  return {
    id: crypto.randomUUID(),
    name: 'vault',
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: { command: 'errand-vault', args: ['--vault', '.'] },
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  };
}

function describe(folder: string, created: readonly string[]): string {
  if (created.length === 0) return `${folder} is a vault already; nothing was changed.\n`;
  const next = created.includes(note)
    ? `Try it with: errand run ${JSON.stringify(join(folder, note))}\n`
    : '';
  return `${folder} is a vault now. Made: ${created.join(', ')}\n${next}`;
}
