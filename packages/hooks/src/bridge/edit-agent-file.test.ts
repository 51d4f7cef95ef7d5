import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AgentProgram,
  agentEntries,
  agentPrograms,
  isBridgeCommand,
} from './agent-programs.ts';
import { addEntries, removeEntries } from './edit-agent-file.ts';
import { AgentFileError, findEntries } from './read-agent-file.ts';

const command = (program: AgentProgram) => `errand hooks bridge event ${program}`;

function edits(program: AgentProgram) {
  const isOurs = (text: string) => isBridgeCommand(program, text);
  const entries = agentEntries(program, command(program));
  return {
    install: (text: string | undefined, isVersioned = false) =>
      addEntries(text, entries, isOurs, { isVersioned }),
    remove: (text: string) => removeEntries(text, isOurs),
    find: (text: string) => findEntries(text, isOurs),
  };
}

const claude = edits('claude');
const cursor = edits('cursor');

test('a file that is missing is made with nothing but our entries, and removed as a whole', () => {
  expect(JSON.parse(claude.install(undefined))).toEqual({
    hooks: {
      UserPromptSubmit: [
        { hooks: [{ type: 'command', command: command('claude'), timeout: 330 }] },
      ],
      Stop: [{ hooks: [{ type: 'command', command: command('claude'), timeout: 30 }] }],
    },
  });
  expect(JSON.parse(cursor.install(undefined, true))).toEqual({
    version: 1,
    hooks: {
      beforeSubmitPrompt: [{ command: command('cursor'), timeout: 330 }],
      stop: [{ command: command('cursor'), timeout: 30 }],
    },
  });
  const copilot = edits('copilot').install(undefined, true);
  expect(JSON.parse(copilot)).toMatchObject({
    version: 1,
    hooks: { Stop: [{ type: 'command', timeoutSec: 30, timeout: 30 }] },
  });
  expect(claude.remove(claude.install(undefined))).toBeUndefined();
  expect(cursor.remove(cursor.install(undefined, true))).toBeUndefined();
  expect(edits('copilot').remove(copilot)).toBeUndefined();
});

/** Files as people and agents write them. */
const files: Readonly<Record<string, string>> = {
  'an object': '{}',
  'an object with a blank': '{ }\n',
  'an object over two lines': '{\n}\n',
  'an empty list of the event': '{\n  "hooks": {\n    "Stop": []\n  }\n}',
  'empty hooks': '{ "hooks": {} }',
  'empty hooks with a comment': '{\n\t"hooks": {\n\t\t// none yet\n\t}\n}\n',
  'settings of another kind':
    '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n',
  'one line': '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say"}]}]}}',
  'other hooks of the event':
    '{\n    "hooks": {\n        "Stop": [\n            {\n                "hooks": [{ "type": "command", "command": "say done" }]\n            }\n        ]\n    },\n    "z": 1\n}\n',
  comments:
    '// mine\n{\n  /* a */ "a": 1, // one\n  "hooks": { // hooks\n    "Stop": [ // list\n      { "hooks": [] } // last\n      // nothing more\n    ] /* end */\n  } // after\n} // end\n',
  'trailing commas':
    '{\n  "a": [1, 2,],\n  "hooks": {\n    "Stop": [\n      { "hooks": [], },\n    ],\n  },\n}\n',
  'a comment before a trailing comma': '{\n  "a": 1 /* x */, // y\n}',
  'lines that end as on Windows':
    '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{"hooks": []}\r\n\t\t]\r\n\t}\r\n}\r\n',
  'a byte order mark': '\uFEFF{\n  "a": 1\n}\n',
  'a version': '{\n  "version": 1\n}\n',
  'a version and no hooks': '{\n  "version": 1,\n  "hooks": {}\n}\n',
  'no hooks and a version': '{\n  "hooks": {},\n  "version": 1\n}\n',
  'the other order': '{ "hooks": { "stop": [ { "command": "say" } ] }, "version": 1 }',
};

test.each(
  agentPrograms.flatMap((program) =>
    Object.entries(files).map(([name, text]) => [program, name, text] as const),
  ),
)('%s: %s is afterwards what it was, byte for byte', (program, _, text) => {
  const { install, remove, find } = edits(program);
  const installed = install(text);
  expect(find(installed)).toHaveLength(2);
  expect(install(installed)).toBe(installed);
  expect(remove(installed)).toBe(text);
  // Every character that was there is still there, in its order.
  let at = 0;
  for (const character of text) at = installed.indexOf(character, at) + 1 || Number.NaN;
  expect(at).not.toBeNaN();
});

test('new entries look like what is around them', () => {
  expect(
    cursor.install(
      '{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"stop": [\r\n\t\t\t{ "command": "say" } // loud\r\n\t\t]\r\n\t}\r\n}',
    ),
  ).toBe(
    [
      '{',
      '\t"version": 1,',
      '\t"hooks": {',
      '\t\t"stop": [',
      '\t\t\t{ "command": "say" }, // loud',
      '\t\t\t{',
      '\t\t\t\t"command": "errand hooks bridge event cursor",',
      '\t\t\t\t"timeout": 30',
      '\t\t\t}',
      '\t\t],',
      '\t\t"beforeSubmitPrompt": [',
      '\t\t\t{',
      '\t\t\t\t"command": "errand hooks bridge event cursor",',
      '\t\t\t\t"timeout": 330',
      '\t\t\t}',
      '\t\t]',
      '\t}',
      '}',
    ].join('\r\n'),
  );
});

test('our entries are found and removed after other edits, and nothing else is', () => {
  const installed = claude.install('{\n  "model": "opus"\n}\n');
  const edited = JSON.parse(installed);
  const mine = { type: 'command', command: 'say done' };
  edited.hooks.Stop[0].matcher = '*';
  edited.hooks.Stop.push({ hooks: [mine] });
  edited.hooks.UserPromptSubmit[0].hooks.unshift(mine);
  edited.hooks.PreToolUse = [];
  const removed = claude.remove(JSON.stringify(edited, undefined, 4));
  expect(JSON.parse(removed ?? '')).toEqual({
    model: 'opus',
    hooks: { UserPromptSubmit: [{ hooks: [mine] }], Stop: [{ hooks: [mine] }], PreToolUse: [] },
  });
  expect(
    claude.remove(
      '{ "hooks": { "Stop": [{ "hooks": [{ "command": "echo hooks bridge events claude" }] }] } }',
    ),
  ).toContain('events');
});

test('a second installation from another place changes the command alone', () => {
  const entries = agentEntries('claude', '/opt/errand hooks bridge event claude --strict');
  const isOurs = (text: string) => isBridgeCommand('claude', text);
  const first = claude.install('{ "a": 1 }').replaceAll('30 }', '30, "x": 2 }');
  const second = addEntries(first, entries, isOurs, { isVersioned: false });
  expect(second).toBe(
    first
      .replaceAll('"errand hooks', '"/opt/errand hooks')
      .replaceAll('event claude"', 'event claude --strict"'),
  );
});

test.each([
  ['', 1, 1, /empty/],
  ['{\n  "hooks": {\n}', 3, 2, /not JSON/],
  ['[]', 1, 1, /not an object/],
  ['{ "hooks": [] }', 1, 12, /"hooks" is not an object/],
  ['{ "hooks": { "Stop": {} } }', 1, 22, /"hooks.Stop" is not a list/],
  ['{ "hooks": {}, "hooks": {} }', 1, 16, /written twice/],
  ['{ "hooks": { "Stop": [],\n "Stop": [] } }', 2, 2, /written twice/],
  ['{"a":'.repeat(100_000), 1, 1, /deep|not JSON/],
])('a broken file is told with its place: %s', (text, line, column, message) => {
  for (const change of [claude.install, claude.remove]) {
    const failure = (() => {
      try {
        return change(text);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(AgentFileError);
    expect((failure as Error).message).toMatch(message);
    if (text.length < 100) expect(failure).toMatchObject({ line, column });
  }
});

test('whatever a file looks like, removing what was installed gives it back', () => {
  const gap = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' /* c */ ', ' // c\n', '\n\n    ');
  const separated = (items: fc.Arbitrary<readonly string[]>, open: string, close: string) =>
    fc.tuple(items, gap, gap, gap, fc.boolean()).map(([list, first, between, last, trailing]) => {
      const text = list.join(`${between},${between}`);
      return `${open}${first}${text}${trailing && list.length > 0 ? `${between},` : ''}${last}${close}`;
    });
  const handler = fc.constantFrom(
    '{"command":"x"}',
    '{ "hooks": [ ] }',
    '{"matcher":"","hooks":[{"command":"y"}]}',
  );
  const list = separated(fc.array(handler, { maxLength: 3 }), '[', ']');
  const named = (names: readonly string[], value: fc.Arbitrary<string>) =>
    fc
      .subarray([...names])
      .chain((keys) =>
        fc.tuple(
          ...keys.map((key) => fc.tuple(gap, value).map(([g, v]) => `"${key}"${g}:${g}${v}`)),
        ),
      );
  const hooks = separated(
    named(['Stop', 'UserPromptSubmit', 'stop', 'PreToolUse'], list),
    '{',
    '}',
  );
  const other = fc.constantFrom('1', '"t"', '{ "b": [1, ] }', '[]', '{}');
  const file = fc
    .tuple(fc.boolean(), named(['a', 'version', 'z'], other), hooks)
    .chain(([isWith, others, text]) =>
      separated(
        fc.shuffledSubarray([...others, ...(isWith ? [`"hooks": ${text}`] : [])], {
          minLength: others.length + (isWith ? 1 : 0),
        }),
        '{',
        '}',
      ),
    );
  fc.assert(
    fc.property(fc.constantFrom(...agentPrograms), fc.tuple(gap, file, gap), (program, parts) => {
      const text = parts.join('');
      const { install, remove, find } = edits(program);
      const installed = install(text);
      expect(find(installed)).toHaveLength(2);
      expect(install(installed)).toBe(installed);
      expect(remove(installed)).toBe(text);
    }),
    { seed: 1, numRuns: 500 },
  );
});
