import type { DockerConfig, ServerConfig } from '@errand/host';
import { newServer } from '@errand/host';
import { expect, test } from 'vitest';
import { draftOfForm, formOfDraft, type ServerDraft } from './server-draft.ts';
import { entryFrom, formOf } from './server-form.ts';

function image(transport: ServerConfig['transport'], ports: DockerConfig['ports']): ServerConfig {
  const dockerConfig = { image: 'x', containerName: 'c', ...(ports && { ports }) };
  return newServer({ name: 'a', transport, deploymentType: 'managed', dockerConfig }, 'a');
}

function portsAfter(before: ServerConfig, typed: Partial<ServerDraft>): DockerConfig['ports'] {
  const draft = formOfDraft({ ...draftOfForm(formOf(before)), ...typed });
  if ('mistakes' in draft) throw new Error(JSON.stringify(draft.mistakes));
  return entryFrom(draft.form, before).dockerConfig?.ports;
}

test('ports that the form of an image does not show stay', () => {
  const two = { 80: 8080, 9000: 9000 };
  expect(portsAfter(image('http', two), { memory: '1g' })).toEqual(two);
  expect(portsAfter(image('http', two), { port: '81' })).toEqual({ 81: 8080, 9000: 9000 });
  expect(portsAfter(image('http', { '80/tcp': 0 }), {})).toEqual({ '80/tcp': 0 });
  expect(portsAfter(image('stdio', { 70: 70 }), { memory: '1g' })).toEqual({ 70: 70 });
});

test('the port of the form is the one that the server is spoken to at', () => {
  expect(portsAfter(image('http', { 80: 0, 90: 0 }), { port: '99' })).toEqual({ 99: 0 });
  expect(portsAfter(image('http', { 80: 0 }), { imageTransport: 'stdio' })).toBeUndefined();
});

test('a sandbox, which no form shows, stays', () => {
  const sandbox = { kind: 'bwrap', mounts: [{ source: '.' }] } as const;
  const local = newServer(
    {
      name: 'a',
      transport: 'stdio',
      deploymentType: 'local',
      localConfig: { command: 'x', args: ['y'], sandbox },
    },
    'a',
  );
  expect(entryFrom(formOf(local), local).localConfig).toEqual(local.localConfig);
  const boxed = image('stdio', undefined);
  const dockerConfig = { image: 'x', containerName: 'c', sandboxed: true };
  expect(entryFrom(formOf(boxed), { ...boxed, dockerConfig }).dockerConfig).toEqual(dockerConfig);
});
