import { adviceWords } from '@errand/document/display';

const settings = 'in the settings of Errand';

/** A message whose advice is a command of the command line, with what does the same in Obsidian. */
export function inObsidianWords(message: string): string {
  const replace = 'Press "Replace the edited result" on its card, or delete it.';
  return adviceWords(withoutLogin(message), { servers: settings, secrets: settings, replace });
}

/** Nobody can log in from Obsidian yet. */
function withoutLogin(message: string): string {
  return message
    .replace(/Log in with: errand servers login [\w-]+, or put a token/, 'Put a token')
    .replace(
      /Log in with: errand servers login [\w-]+/,
      `Put a token into its "headers" ${settings}: logging in needs Errand's command line.`,
    );
}
