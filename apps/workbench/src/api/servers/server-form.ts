import { approvalRules } from '@errand/host';
import { z } from 'zod';

const texts = z.record(z.string(), z.string());
const rules = {
  name: z.string().trim().min(1, 'Give it a name, for example "notes".'),
  approval: z.enum(approvalRules).exactOptional(),
  timeout: z.number().nullable().exactOptional(),
};
const port = z.int('Write a port from 1 to 65535.').min(0).max(65_535);

/** A form as a page sends it. What a server may be called or started with is checked when it is stored. */
export const serverFormSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...rules,
    kind: z.literal('command'),
    command: z.string().trim().min(1, 'Write the program to start, for example npx -y some-server'),
    env: texts.exactOptional(),
    cwd: z.string().exactOptional(),
  }),
  z.strictObject({
    ...rules,
    kind: z.literal('image'),
    image: z.string().trim().min(1, 'Name the image, for example mcp/weather:1'),
    transport: z.enum(['stdio', 'sse', 'http']).exactOptional(),
    command: z.string().exactOptional(),
    port: port.exactOptional(),
    outsidePort: port.exactOptional(),
    path: z.string().exactOptional(),
    env: texts.exactOptional(),
    memory: z.string().exactOptional(),
  }),
  z.strictObject({
    ...rules,
    kind: z.literal('url'),
    url: z.string().trim().min(1, 'Write the address, for example https://host.example/mcp'),
    transport: z.enum(['sse', 'http']).exactOptional(),
    headers: texts.exactOptional(),
  }),
]);
