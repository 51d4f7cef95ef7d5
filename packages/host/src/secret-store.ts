/** Secrets by name. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string | undefined): Promise<void>;
  names(): Promise<readonly string[]>;
}
