import { briefFailure } from '@errand/host';
import { findServer } from '@errand/workspace/servers';
import { Command } from 'commander';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { codeOfFailure, exitCode } from '../../exit-code.ts';
import { openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';
import { runTest } from './run-test.ts';

/** `errand servers test`: each step of connecting, with its time. */
export function testServerCommand(context: CommandContext): Command {
  return new Command('test')
    .description('Connect to a server and show each step with its time.')
    .argument('<name>')
    .action(async (name: string, options: CommonOptions) => {
      const { terminal } = context;
      await using vault = await openVault(options, context, personAt(terminal));
      const server = findServer(vault.host, name);
      const refusal = vault.trust.mayStart(server);
      if (refusal !== undefined) throw refusal;
      const { steps, tools, error } = await runTest(server, vault, options, context);
      if (options.json) {
        const json = {
          name: server.name,
          steps: steps.map(({ name, detail = null, durationMs, isDone }) => ({
            name,
            detail,
            durationMs,
            ok: isDone,
          })),
          tools: error === undefined ? tools.length : null,
          error: error ? briefFailure(error) : null,
        };
        terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
      } else if (error === undefined) terminal.stdout.write(`${server.name} works.\n`);
      context.end(error === undefined ? exitCode.ok : codeOfFailure(error.code));
    });
}
