import { oneLine, type ServerConfig, type TakenSecret, takeSecrets } from '@errand/host';
import { confirmUnlessNo } from '../../ask.ts';
import type { CommandContext } from '../../command-context.ts';
import type { OpenVault } from '../../open-vault.ts';

export interface SecretOptions {
  readonly keepPlain?: boolean;
  readonly storeSecrets?: boolean;
}

/** An entry to be stored, and the secrets taken out of it. */
export interface EntryWithSecrets {
  readonly server: ServerConfig;
  readonly secrets: readonly TakenSecret[];
}

/**
 * Offers to keep what looks like secrets in entries outside the vault; that is done too where nobody can be
 * asked. Nothing is stored here.
 */
export async function offerSecrets(
  servers: readonly ServerConfig[],
  { secrets: store }: Pick<OpenVault, 'secrets'>,
  { keepPlain = false, storeSecrets = false }: SecretOptions,
  { terminal, signal }: CommandContext,
): Promise<readonly EntryWithSecrets[]> {
  const plain = servers.map((server) => ({ server, secrets: [] }));
  const isNeeded = servers.some((server) => takeSecrets(server, []).secrets.length > 0);
  if (keepPlain || !isNeeded) return plain;
  const names = new Set(await store.names());
  const kept = servers.map((server) => {
    const taken = takeSecrets(server, names);
    for (const { name } of taken.secrets) names.add(name);
    return taken;
  });
  if (storeSecrets || !terminal.stdin.isTTY || !terminal.stderr.isTTY) return kept;
  terminal.stderr.write('These look like secrets, and settings travel with the vault:\n');
  for (const { server, secrets } of kept) {
    for (const { field } of secrets) terminal.stderr.write(`  ${server.name} ${oneLine(field)}\n`);
  }
  const question = 'Keep them as secrets, outside the vault?';
  return (await confirmUnlessNo(question, terminal, signal)) ? kept : plain;
}
