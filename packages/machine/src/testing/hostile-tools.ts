import type { ScriptedTool } from './scripted-tools.ts';

/** Tools of the scriptable server that break the protocol in whatever way a test wants. */
export const hostileTools: Readonly<Record<string, ScriptedTool>> = {
  raw: {
    description:
      'Writes `before`, `text` so many times, and `after` as they are, with ID for the id of the call; answers only when asked to.',
    inputSchema: {
      type: 'object',
      properties: {
        before: { type: 'string' },
        text: { type: 'string' },
        times: { type: 'integer', minimum: 0 },
        after: { type: 'string' },
        answers: { type: 'boolean' },
      },
    },
    run: async ({ before = '', text = '', times = 1, after = '', answers }, { writeRaw, id }) => {
      const withId = (part: unknown) => String(part).replaceAll('ID', String(id));
      writeRaw(withId(before) + withId(text).repeat(Number(times)) + withId(after));
      return answers ? { content: [{ type: 'text', text: 'answered' }] } : undefined;
    },
  },
  deep: {
    description: 'Answers with JSON of so many levels: as text, or as structured content.',
    inputSchema: {
      type: 'object',
      properties: { levels: { type: 'integer' }, structured: { type: 'boolean' } },
      required: ['levels'],
    },
    run: async ({ levels, structured }, { writeRaw, id }) => {
      const json = '['.repeat(Number(levels)) + ']'.repeat(Number(levels));
      const text = JSON.stringify(json);
      const value = structured ? `,"structuredContent":${json}` : '';
      const result = `{"content":[{"type":"text","text":${text}}]${value}}`;
      writeRaw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
      return undefined;
    },
  },
  'ask-for-ever': {
    description: 'Asks the client again and again, and reads nothing any more.',
    inputSchema: { type: 'object', properties: { method: { type: 'string' } } },
    run: async ({ method = 'roots/list' }, { writeRaw }) => {
      process.stdin.pause();
      let asked = 0;
      const write = () => {
        let lines = '';
        for (let line = 0; line < 1000; line += 1) {
          asked += 1;
          lines += `{"jsonrpc":"2.0","id":"q${asked}","method":${JSON.stringify(method)}}\n`;
        }
        process.stdout.write(lines, write);
      };
      writeRaw('');
      write();
      return undefined;
    },
  },
};
