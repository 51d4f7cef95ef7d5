import type { paths } from '@coderabbitai/bitbucket/cloud';
import type { components } from '@coderabbitai/bitbucket/cloud/openapi';
import type { TypedClient } from '../api/typed-client.ts';

/** The contract of Cloud, generated from Atlassian's description of it. */
export type CloudPaths = paths;
export type CloudClient = TypedClient<paths>;

/** A type of the contract by its name. */
export type Cloud<Name extends keyof components['schemas']> = components['schemas'][Name];
