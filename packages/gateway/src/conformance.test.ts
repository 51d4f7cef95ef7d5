import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallOptions, RawToolResult, ToolCall, ToolDescription } from '@errand/host';
import { echoTool } from '@errand/host/testing';
import { temporaryFolder } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openTestGateway } from './testing/open-test-gateway.ts';
import { renameTools } from './testing/rename-tools.ts';

/**
 * What of the official suite applies to a server that offers tools and nothing else. The others need
 * resources, prompts, completion or logging, or ask the client something, which a gateway never does:
 * elicitation and sampling end at the host.
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
  // A gateway has no prompts and no resources.
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
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
    await using test = await openTestGateway({ a: { tools: [...tools, changing()], call } });
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
    tools: scripted.map(({ answer: _, ...tool }) => tool),
    call: async ({ tool }: ToolCall, { onProgress }: CallOptions) => {
      if (tool === 'test_tool_with_progress') {
        for (const progress of [0, 50, 100]) onProgress?.({ progress, total: 100 });
      }
      if (tool === 'test_trigger_tool_change') changeTools();
      return scripted.find(({ name }) => name === tool)?.answer ?? { content: [] };
    },
  };
}
