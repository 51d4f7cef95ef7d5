import { type ContainedRoot, openFolder, readFileBelow, replaceFile } from '@errand/files';
import { z } from 'zod';

const stateSchema = z.looseObject({
  /** The mailbox whose mails become notes here. */
  mailbox: z.string().optional(),
  /** The machine that fetches and sends; another one waits for a person's word. */
  machine: z.string(),
  machine_name: z.string().optional(),
  /** Only mails that came after it are taken. */
  since: z.string(),
  paused: z.boolean().optional(),
  /** Where the history of the mailbox was when its mails were last taken. */
  last_history_id: z.string().optional(),
  last_poll_at: z.string().optional(),
});

/** What the file says. */
export type OrchestratorState = z.output<typeof stateSchema>;

/** The file that says which machine works for a vault; it travels with the vault. */
export interface StateStore {
  /** Nothing at the first start. A file that cannot be read belongs to another machine, for safety. */
  read(): Promise<OrchestratorState | undefined>;
  write(state: OrchestratorState): Promise<void>;
}

const name = 'orchestrator_state.json';

/** `Logs/orchestrator_state.json` */
export function openStateStore(root: ContainedRoot): StateStore {
  return {
    async read() {
      let text: string;
      try {
        const bytes = await readFileBelow(root, ['Logs', name], { maximumSize: 1024 * 1024 });
        text = bytes.toString();
      } catch (error) {
        const { code } = error as { readonly code?: unknown };
        if (code === 'missing' || code === 'ENOENT') return undefined;
        throw error;
      }
      try {
        return stateSchema.parse(JSON.parse(text));
      } catch {
        return {
          machine: 'unknown',
          machine_name: `a file that cannot be read (Logs/${name})`,
          since: '',
        };
      }
    },
    async write(state) {
      using folder = openFolder(root, ['Logs'], { create: true });
      await replaceFile({ folder, name }, `${JSON.stringify(state, undefined, 2)}\n`);
    },
  };
}
