import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runInThisContext } from 'node:vm';
import * as vscode from 'vscode';
import type { BridgeAnswer, BridgeQuestion } from './bridge-messages.ts';

/** Lets tests run functions inside the extension host, through a socket that only they know. */
export function activate(context: vscode.ExtensionContext): void {
  const folder = process.env.ERRAND_TEST_BRIDGES;
  const opened = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined || opened === undefined) return;
  const name = createHash('sha256').update(opened.fsPath).digest('hex').slice(0, 16);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    createInterface({ input: socket }).on('line', (line) => {
      void answer(JSON.parse(line) as BridgeQuestion).then((answered) =>
        socket.write(`${JSON.stringify(answered)}\n`),
      );
    });
  });
  server.listen(join(folder, `${name}-${process.pid}.sock`));
  context.subscriptions.push({
    dispose() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
}

async function answer({ id, source, args }: BridgeQuestion): Promise<BridgeAnswer> {
  try {
    const run = runInThisContext(`(${source})`) as (...given: readonly unknown[]) => unknown;
    return { id, value: (await run(vscode, ...args)) ?? null };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
