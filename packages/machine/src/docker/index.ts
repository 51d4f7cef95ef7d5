export { ManagedConnector, type ManagedConnectorOptions } from './managed-connector.ts';
export { keepReaping, reapContainers } from './reap-containers.ts';
