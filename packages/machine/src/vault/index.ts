export {
  openVaultHost,
  type SharedHost,
  type VaultHost,
  type VaultPorts,
  type VaultSharing,
} from './open-vault-host.ts';
