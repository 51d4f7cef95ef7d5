export { connectToOwner, type OwnerContact } from './lease/connect-to-owner.ts';
export { type LeaseFolder, leaseFolder } from './lease/lease-folder.ts';
export type { OwnerInfo } from './lease/owner-info.ts';
export { type Claimant, type Lease, seizeLease, takeLease } from './lease/take-lease.ts';
export { OwnerError, type OwnerErrorCode } from './owner-error.ts';
export type { FaceInfo, OwnerStatus } from './protocol.ts';
export type { SharePorts } from './share-ports.ts';
export { SharedHost, type Sharing } from './shared-host.ts';
export { type OwnerVisit, visitOwner } from './visit-owner.ts';
