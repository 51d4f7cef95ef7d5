import type { SecretStore } from '@errand/host';
import { HostError } from '@errand/host';

/** The first answer may wait for a service to start; a person who is asked to unlock takes longer. */
const probeTimeout = 5_000;

/**
 * Secrets in the keychain of the system (macOS Keychain, Windows Credential Manager, Secret Service);
 * nothing when there is none that answers, or the native module for it is not installed.
 */
export async function openKeychain(service = 'errand'): Promise<SecretStore | undefined> {
  const keyring = await import('@napi-rs/keyring').catch(() => undefined);
  if (keyring === undefined) return undefined;
  // Without this, Linux falls back to the kernel's keyring, which forgets at the next start.
  const options = { linux: { store: 'secret-service' } } as const;
  const entry = (name: string) => new keyring.AsyncEntry(service, name, options);
  try {
    await entry('probe').getPassword(AbortSignal.timeout(probeTimeout));
  } catch {
    return undefined;
  }
  return {
    get: (name) => explained(async () => (await entry(name).getPassword()) ?? undefined),
    set: (name, value) =>
      explained(async () => {
        if (value === undefined) await entry(name).deletePassword();
        else await entry(name).setPassword(value);
      }),
    names: () =>
      explained(async () => {
        const found = await keyring.findCredentialsAsync(service);
        return found.map(({ account }) => account).sort();
      }),
  };
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HostError(
      'secret_missing',
      `The system's keychain did not answer (${why}). Unlock it and try again.`,
      {},
      { cause },
    );
  }
}
