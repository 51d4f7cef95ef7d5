/** A command that a document shows, and the exit code it promises. */
export interface ShownCommand {
  readonly command: string;
  readonly code: number;
}

/** The commands in the `sh` blocks of a document; `# ends with 1` behind one promises that code. */
export function shellCommands(markdown: string): readonly ShownCommand[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.trimEnd().split('\n'))
    .map((line) => {
      const [command = '', remark = ''] = line.split(/\s+#\s+/);
      return { command, code: Number(/^ends with (\d+)/.exec(remark)?.[1] ?? 0) };
    });
}
