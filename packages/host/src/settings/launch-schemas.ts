import { z } from 'zod';
import { booleanSchema, text, write } from './field-schemas.ts';

const variables = z.record(
  z.string().regex(/^[^=\0]+$/, write('a name without "="')),
  z.string(write('the value as text in double quotes')),
  write('an object of names and texts, for example { "LANG": "en" }'),
);

const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, write('a header name such as "Authorization"')),
  z
    .string(write('the header as text in double quotes'))
    .regex(/^[^\r\n\0]*$/, write('the header on one line')),
  write(`an object of names and texts, for example { "Authorization": "Bearer \${secret:name}" }`),
);

const words = (example: string) =>
  z.array(z.string(write('each word as text in double quotes')), write(`a list, as ${example}`));

/** Only a shell knows what "~" is: to the system it is a folder of the vault with that name. */
const place = (advice: string) =>
  text(advice).regex(/^[^~]/, write('the full path: "~" is not expanded'));

// Strict only here: a misspelt key must not give a program more access than intended.
const sandboxSchema = z.strictObject(
  {
    kind: z.enum(['bwrap'], write('"bwrap"')),
    /** Without it there is no network. */
    network: booleanSchema.exactOptional(),
    mounts: z
      .array(
        z.strictObject(
          {
            source: place('a file or folder on this machine, relative to the vault'),
            writable: booleanSchema.exactOptional(),
          },
          write('an object with "source" and, if it may be written, "writable": true'),
        ),
        write('a list of mounts'),
      )
      .exactOptional(),
  },
  write('an object with "kind": "bwrap" and, if wanted, "network" and "mounts"'),
);

/** A command on this machine. */
export const localConfigSchema = z.object(
  {
    command: text('the program to start, for example "npx"'),
    args: words('["-y", "some-server"]').exactOptional(),
    env: variables.exactOptional(),
    /** Relative to the vault. */
    cwd: place('a folder, relative to the vault').exactOptional(),
    /** Without it the program runs with all rights of the user. */
    sandbox: sandboxSchema.exactOptional(),
  },
  write('an object such as { "command": "npx", "args": ["-y", "some-server"] }'),
);

const port = z
  .int(write('a port from 1 to 65535, or 0 to let Docker choose'))
  .min(0, write('a port from 1 to 65535, or 0 to let Docker choose'))
  .max(65_535, write('a port from 1 to 65535, or 0 to let Docker choose'));

const mountSchema = z.object(
  {
    /** Relative to the vault. */
    source: place('a folder on this machine, relative to the vault'),
    target: z
      .string(write('the absolute folder inside the container, for example "/data"'))
      .startsWith('/', write('the absolute folder inside the container, for example "/data"')),
    writable: booleanSchema.exactOptional(),
  },
  write('an object such as { "source": "notes", "target": "/data" }'),
);

/** A container. */
export const dockerConfigSchema = z.object(
  {
    image: text('the image, for example "mcp/weather:1"'),
    containerName: z
      .string(write('the container name as text'))
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_.-]+$/,
        write('a container name of letters, digits, "_", "." and "-", at least two of them'),
      ),
    command: words('["serve"]').exactOptional(),
    /** Inside port to outside port on 127.0.0.1; outside 0 lets the engine choose. */
    ports: z
      .record(
        z
          .string()
          .regex(
            /^\d{1,5}(\/(tcp|udp))?$/,
            write('the port inside the container, for example "8080"'),
          ),
        port,
        write('an object of inside and outside ports, for example { "8080": 18080 }'),
      )
      .exactOptional(),
    path: z
      .string(write('the path of the address, for example "/mcp"'))
      .startsWith('/', write('a path that begins with "/", for example "/mcp"'))
      .exactOptional(),
    headers: headers.exactOptional(),
    env: variables.exactOptional(),
    memory: z
      .string(write('the memory as text, for example "256m"'))
      .regex(/^\d+(\.\d+)?[bkmg]?$/i, write('a number and b, k, m or g, for example "256m"'))
      .exactOptional(),
    cpus: z
      .number(write('a number of processors, for example 0.5'))
      .positive(write('a number above 0, for example 0.5'))
      .exactOptional(),
    mounts: z.array(mountSchema, write('a list of mounts')).exactOptional(),
    network: text('the name of a Docker network, for example "none"').exactOptional(),
    /** A read-only system with a private /tmp, no privileges, an ordinary user, and a limit of processes. */
    sandboxed: booleanSchema.exactOptional(),
  },
  write('an object such as { "image": "mcp/weather:1" }'),
);

const address = z
  .string(write('the address, for example "https://host.example/mcp"'))
  .refine(isAddress, write('an address that begins with http:// or https://'));

/** A remote server, which we neither start nor stop. */
export const remoteConfigSchema = z.object(
  { url: address, headers: headers.exactOptional() },
  write('an object such as { "url": "https://host.example/mcp" }'),
);

/** A reference may stand for any part of an address, so such an address is checked when it is used. */
function isAddress(url: string): boolean {
  if (url.includes('${')) return true;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
