/** The vaults that a secret was set for, by their real paths; or all there are. */
export type SecretScope = 'all' | readonly string[];

/** Which vaults secrets were set for, by name. Kept outside the vaults; a secret without one is older than this. */
export interface SecretScopes {
  load(): Promise<ReadonlyMap<string, SecretScope>>;
  save(
    name: string,
    change: (current: SecretScope | undefined) => SecretScope | undefined,
  ): Promise<void>;
}
