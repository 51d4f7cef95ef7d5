import { changeSettings, newServer, type ServerConfig, type Settings } from '@errand/host';
import { entryFrom, formOfDraft, type ServerDraft, serverMistake } from '@errand/workspace/forms';
import { inObsidianWords } from '../words/in-obsidian-words.ts';

/** What is wrong in a form, by field. */
export type Mistakes = Readonly<Record<string, string>>;

/** The entry that a form describes, or what is wrong with it; nothing is stored. */
export type CheckedServer =
  | { readonly entry: ServerConfig; readonly mistakes?: undefined }
  | { readonly mistakes: Mistakes; readonly entry?: undefined };

/** Checks a form as storing it would: against the settings as they are, and the entry it changes. */
export function checkServer(
  draft: ServerDraft,
  settings: Settings,
  { id, before }: { readonly id: string; readonly before?: ServerConfig | undefined },
): CheckedServer {
  const read = formOfDraft(draft);
  if ('mistakes' in read) return read;
  try {
    const made = newServer(entryFrom(read.form, before), id);
    const entry = { ...made, enabled: before?.enabled ?? false };
    const others = settings.mcpServers.filter((server) => server.id !== id);
    changeSettings(undefined, 'data.json', (empty) => ({
      ...empty,
      mcpServers: [...others, entry],
    }));
    return { entry };
  } catch (error) {
    const mistake = serverMistake(error, draft.kind);
    if (mistake === undefined) throw error;
    return { mistakes: { [mistake.field]: inObsidianWords(mistake.message) } };
  }
}
