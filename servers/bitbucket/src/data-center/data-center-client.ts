import type { components, paths } from '@coderabbitai/bitbucket/server/openapi';
import type { TypedClient } from '../api/typed-client.ts';

/** The contract of Data Center, generated from Atlassian's description of it. */
export type DataCenterPaths = paths;
export type DataCenterClient = TypedClient<paths>;

/** A type of the contract by its name. */
export type Rest<Name extends keyof components['schemas']> = components['schemas'][Name];
