import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '@errand/host';
import { z } from 'zod';
import { ownerOnlyFile } from './owner-only-file.ts';

const schema = z.object({
  version: z.literal(1),
  /** By the real path of the vault. */
  tokens: z.record(z.string(), z.string().min(32)),
});

/** The token by which other programs use a vault's gateway; it outlives the program, for their configurations. */
interface GatewayTokenFile {
  /** The token of the vault, made when there is none yet. */
  read(): Promise<string>;
  /** Replaces the token; whoever has the old one is refused from the next start on. */
  renew(): Promise<string>;
}

/** Opens the token of a vault's gateway in `gateway.json` of the user's state folder. */
export async function openGatewayTokenFile(
  stateFolder: string,
  vaultFolder: string,
): Promise<GatewayTokenFile> {
  const vault = await realpath(vaultFolder);
  const path = join(stateFolder, 'gateway.json');
  const file = ownerOnlyFile(path);
  const tokensOf = (value: unknown): ReadonlyMap<string, string> => {
    const result = schema.safeParse(value ?? { version: 1, tokens: {} });
    if (result.success) return new Map(Object.entries(result.data.tokens));
    throw new HostError(
      'settings_invalid',
      `${path} is not a file that this Errand can read. Delete it; the programs that use the gateway then need its new token.`,
    );
  };
  const store = async (tokenAfter: (known: string | undefined) => string) => {
    let stored = '';
    await file.change((current) => {
      const tokens = tokensOf(current);
      stored = tokenAfter(tokens.get(vault));
      return { version: 1, tokens: { ...Object.fromEntries(tokens), [vault]: stored } };
    });
    return stored;
  };
  return {
    // Two programs that start at once must agree, so what is known is looked up again under the lock.
    read: async () =>
      tokensOf(await file.read()).get(vault) ?? store((known) => known ?? newToken()),
    renew: () => store(newToken),
  };
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
