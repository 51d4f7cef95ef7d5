import { basename } from 'node:path';
import { foreignName } from '@errand/host';
import { pickUntil } from './ask-until.ts';

/** Asks whether notes of a vault may use the tools of the editor. Leaving the list refuses, as does its end with the signal. */
export async function askEditorTools(
  folder: string,
  tool: string,
  signal: AbortSignal,
): Promise<boolean> {
  const chosen = await pickUntil(
    {
      title: `Let notes of vault "${foreignName(basename(folder))}" use the tools of the editor?`,
      placeholder: `One calls "${foreignName(tool)}". Choose whether it may.`,
      items: [
        // First, so that a key pressed by someone who was typing allows nothing.
        {
          label: 'Do Not Allow',
          detail: 'This call is refused; the next one asks again.',
          isAllowed: false,
        },
        {
          label: 'Allow for This Vault',
          description: folder,
          detail:
            'Tools of the editor may change files and reach the network without asking again.',
          isAllowed: true,
        },
      ],
    },
    signal,
  );
  return chosen?.isAllowed === true;
}
