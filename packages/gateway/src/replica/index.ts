export { CallQuota } from './call-quota.ts';
export { clientScope } from './client-scope.ts';
export {
  type CallLimit,
  type ClientIdentity,
  clientName,
  clientOfSession,
  type GatewayClient,
  type LoginClaim,
} from './gateway-client.ts';
export { ReplicaDatabase } from './replica-database.ts';
export { type SessionSeal, sessionSeal } from './session-seal.ts';
