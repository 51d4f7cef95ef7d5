import type { Hook } from '@errand/hooks';
import type { Notifier } from '@errand/host';
import type { OpenHooks } from '@errand/services/hooks';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { type OpenVault, openVault } from './open-vault.ts';
import { personAt } from './person.ts';

/** The hooks of a vault in a command, which changes and shows them but runs none. */
export interface LocalHooks extends OpenHooks {
  /** Remembers that a person agrees to hooks as they are stored now. */
  agree(hooks: readonly Hook[]): Promise<void>;
}

/** Opens the vault that a command works in, with its hooks. */
export async function openLocalHooks(
  options: CommonOptions,
  context: CommandContext,
): Promise<LocalHooks> {
  const { notifier } = personAt(context.terminal);
  const vault = await openVault(options, context, { notifier });
  const hooks = await localHooks(vault, context, notifier);
  return {
    ...hooks,
    async [Symbol.asyncDispose]() {
      await hooks[Symbol.asyncDispose]();
      await vault[Symbol.asyncDispose]();
    },
  };
}

/** Opens the hooks of a vault that a command has open. */
export async function localHooks(
  vault: OpenVault,
  { terminal }: CommandContext,
  notifier: Notifier,
  trustAll = false,
): Promise<LocalHooks> {
  // Loaded by those who use it: it would cost every other command its time.
  const { openHooks } = await import('@errand/services/hooks');
  const { env } = terminal;
  const stateFolder = vault.folders.state;
  const { log: callLog, trust: vaultTrust } = vault;
  const { mayUse } = vaultTrust;
  const own = { stateFolder, env, trustAll, notifier, callLog, mayUse };
  const hooks = await openHooks({ ...vault, ...own });
  const { store, trust } = hooks;
  return {
    ...hooks,
    async agree(agreed) {
      const ids = new Set(agreed.map(({ id }) => id));
      const stored = (await store.load()).hooks.filter(({ id }) => ids.has(id));
      await trust.agree(stored);
    },
  };
}
