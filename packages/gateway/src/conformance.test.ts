import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CallOptions,
  HostError,
  type RawToolResult,
  type ServerContent,
  type ToolCall,
  type ToolDescription,
} from '@errand/host';
import { echoTool } from '@errand/host/testing';
import { temporaryFolder } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openTestGateway } from './testing/open-test-gateway.ts';
import { renameTools } from './testing/rename-tools.ts';

/**
 * What of the official suite applies to a gateway. The others need logging, or ask the client something, which
 * a gateway never does: elicitation and sampling end at the host.
 */
const scenarios: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'completion-complete',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'completion-complete',
    'sep-2164-resource-not-found',
    'http-header-validation',
    'http-custom-header-server-validation',
    'caching',
  ],
};

/** Single checks of those scenarios that do not apply. */
const notOurs: ReadonlySet<string> = new Set([
  // No tool of a gateway needs a capability of its client.
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
]);

test.each(Object.keys(scenarios))(
  'the scenarios of revision %s that apply to a gateway pass',
  async (version) => {
    // Another scenario may be listing meanwhile: the names and their order stay.
    let changes = 0;
    const changing = () => ({ ...echoTool, name: 'changing', description: `Changed ${changes}.` });
    const suite = toolsOfTheSuite(() => {
      changes += 1;
      test.memory.connector.latest('a').changeTools([...suite.tools, changing()]);
    });
    const { tools, call } = suite;
    const behaviour = { tools: [...tools, changing()], call, content: contentOfTheSuite() };
    await using test = await openTestGateway({ a: behaviour });
    await using proxy = await renameTools(test.url, 'a__');
    await using folder = await temporaryFolder();
    const program = fileURLToPath(import.meta.resolve('conformance-0-2/dist/index.js'));
    const args = ['server', '--url', proxy.url, '--suite', 'all', '--spec-version', version];
    const run = spawn(process.execPath, [program, ...args, '--output-dir', folder.path]);
    run.stdout.resume();
    run.stderr.resume();
    await once(run, 'exit');

    const results = new Map<string, string[]>();
    for (const file of globSync(join(folder.path, '**', 'checks.json'))) {
      const checks = JSON.parse(readFileSync(file, 'utf8')) as { id: string; status: string }[];
      const failed = checks.filter(
        ({ id, status }) => /FAILURE|WARNING/.test(status) && !notOurs.has(id),
      );
      const name = /^server-(.*)-\d{4}-\d{2}-\d{2}T/.exec(basename(dirname(file)))?.[1] ?? '';
      results.set(
        name,
        failed.map(({ id }) => id),
      );
    }
    for (const name of scenarios[version] ?? [])
      expect([name, results.get(name)]).toEqual([name, []]);
  },
  120_000,
);

/** The tools that the suite calls by name. */
function toolsOfTheSuite(changeTools: () => void) {
  type Scripted = ToolDescription & { readonly answer: RawToolResult };
  const path = fileURLToPath(new URL('./fixtures/conformance-tools.json', import.meta.url));
  const scripted = JSON.parse(readFileSync(path, 'utf8')) as Scripted[];
  return {
    tools: [
      ...scripted.map(({ answer: _, ...tool }) => tool),
      { ...echoTool, name: 'test_trigger_prompt_change', description: 'Changes the prompts.' },
    ],
    call: async ({ tool }: ToolCall, { onProgress }: CallOptions) => {
      if (tool === 'test_tool_with_progress') {
        for (const progress of [0, 50, 100]) onProgress?.({ progress, total: 100 });
      }
      if (tool === 'test_trigger_tool_change') changeTools();
      if (tool === 'test_trigger_prompt_change') changePrompts();
      return scripted.find(({ name }) => name === tool)?.answer ?? { content: [] };
    },
  };
}

let changePrompts = () => {};

/** The resources and prompts that the suite asks for. */
function contentOfTheSuite(): ServerContent {
  const image =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const resource = (uri: string) => ({ uri, name: uri, mimeType: 'text/plain' });
  const user = (content: object) => ({ messages: [{ role: 'user', content }] });
  const text = (said: string) => ({ type: 'text', text: said });
  const argument = (name: string) => ({ name, required: true });
  const prompts: Readonly<Record<string, (given: Record<string, string>) => object>> = {
    test_simple_prompt: () => user(text('Simple.')),
    test_prompt_with_arguments: ({ arg1, arg2 }) => user(text(`${arg1} ${arg2}`)),
    test_prompt_with_embedded_resource: ({ resourceUri: uri }) =>
      user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Inside.' } }),
    test_prompt_with_image: () => user({ type: 'image', data: image, mimeType: 'image/png' }),
  };
  const uris = ['test://static-text', 'test://static-binary', 'test://watched-resource'];
  const read = (uri: string) => {
    if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: image };
    const id = /^test:\/\/template\/(.+)\/data$/.exec(uri)?.[1];
    if (id === undefined && !uris.includes(uri))
      throw new HostError('invalid_params', 'No such resource.');
    return { uri, mimeType: 'text/plain', text: `Content ${id ?? ''}` };
  };
  return {
    features: { resources: true, subscriptions: true, prompts: true, completions: true },
    onChanged: (listener) => {
      changePrompts = () => listener({ kind: 'prompts' });
    },
    subscribe: async () => ({ [Symbol.dispose]: () => {} }),
    request: async ({ method, params }) => {
      const given = (params.arguments ?? {}) as Record<string, string>;
      const template = { uriTemplate: 'test://template/{id}/data', name: 'template' };
      switch (method) {
        case 'resources/list':
          return { resources: uris.map(resource) };
        case 'resources/templates/list':
          return { resourceTemplates: [template] };
        case 'resources/read':
          return { contents: [read(String(params.uri))] };
        case 'prompts/list':
          return {
            prompts: [
              { name: 'test_simple_prompt' },
              { name: 'test_prompt_with_arguments', arguments: ['arg1', 'arg2'].map(argument) },
              { name: 'test_prompt_with_embedded_resource', arguments: [argument('resourceUri')] },
              { name: 'test_prompt_with_image' },
            ].map((prompt) => ({ ...prompt, description: 'A prompt of the suite.' })),
          };
        case 'prompts/get':
          return { ...prompts[String(params.name)]?.(given) };
        case 'completion/complete':
          return { completion: { values: ['paris'], total: 1, hasMore: false } };
      }
    },
  };
}
