import type { LoadedSettings, Settings } from '@errand/host';
import { type ServerForm, serverMistake } from '@errand/workspace/forms';
import { ApiError } from '../http/api-error.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

/** Saves a change of the settings and lets it take effect at once. */
export async function saveSettings(
  { settings, host }: Pick<WorkbenchPorts, 'settings' | 'host'>,
  change: (current: Settings) => Settings,
  signal: AbortSignal,
): Promise<LoadedSettings> {
  const saved = await settings.save(change, signal);
  host.servers.apply(saved);
  return saved;
}

/** Does what may find a mistake in a form, and says at which of its fields it is. */
export async function explainAtField<Result>(
  form: ServerForm,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const mistake = serverMistake(error, form.kind);
    if (mistake === undefined) throw error;
    const { field, message } = mistake;
    throw new ApiError('invalid_input', message, { fields: { [field]: message } });
  }
}
