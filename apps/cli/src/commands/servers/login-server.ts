import { findServer } from '@errand/workspace/servers';
import { Command } from 'commander';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { loginPrompt } from '../../login-prompt.ts';
import { openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';

/** `errand servers login`: a person agrees in a browser; the tokens go to the secrets. */
export function loginCommand(context: CommandContext): Command {
  const { terminal, signal } = context;
  const { stdout } = terminal;
  return new Command('login')
    .description('Log in to a remote server, in a browser or by pasting the address it ends at.')
    .argument('<name>')
    .action(async (name: string, options: CommonOptions) => {
      await using vault = await openVault(options, context, personAt(terminal));
      const server = findServer(vault.host, name);
      const refusal = vault.trust.mayStart(server);
      if (refusal !== undefined) throw refusal;
      const { logIn } = await loadLogin();
      const outcome = await logIn(server, {
        secrets: vault.secrets,
        client: { name: 'Errand' },
        signal,
        prompt: loginPrompt(context),
      });
      const words = {
        'logged-in': `Logged in to ${server.name}.`,
        'not-needed': `${server.name} asks for no login.`,
      };
      const json = JSON.stringify({ name: server.name, outcome });
      stdout.write(options.json ? `${json}\n` : `${words[outcome]}\n`);
      context.end(exitCode.ok);
    });
}

/** `errand servers logout`: the tokens are forgotten here and, where that is possible, there. */
export function logoutCommand(context: CommandContext): Command {
  const { terminal, signal } = context;
  return new Command('logout')
    .description('Forget the login to a remote server.')
    .argument('<name>')
    .action(async (name: string, options: CommonOptions) => {
      await using vault = await openVault(options, context, personAt(terminal));
      const server = findServer(vault.host, name);
      const { logOut } = await loadLogin();
      const wasLoggedIn = await logOut(server, vault.secrets, signal);
      const json = JSON.stringify({ name: server.name, wasLoggedIn });
      const words = wasLoggedIn
        ? `Logged out of ${server.name}.`
        : `There was no login to ${server.name}.`;
      terminal.stdout.write(options.json ? `${json}\n` : `${words}\n`);
      context.end(exitCode.ok);
    });
}

/** Loaded by those who use it: the MCP client would cost every other command its time. */
function loadLogin() {
  return import('@errand/machine/mcp');
}
