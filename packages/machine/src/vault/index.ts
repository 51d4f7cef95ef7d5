export {
  openVaultHost,
  type VaultHost,
  type VaultPorts,
} from './open-vault-host.ts';
