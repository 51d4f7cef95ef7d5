import { z } from 'zod';
import { parseUrl } from '../text/parse-url.ts';
import { advising, text, write } from './field-schemas.ts';

const reference = /^\$\{(?:env|secret):[^{}]+\}$/;

/** Words that mean something else at the beginning of a turn. */
const reservedRoles: ReadonlySet<string> = new Set(['user', 'newchat']);

const keyAdvice = `"\${env:NAME}" or "\${secret:NAME}"`;

const nameAdvice =
  'a name of letters, digits, "-" and "_" that begins with a letter, for example "Claude"; it opens the answers in a note';

/** One entry of `assistants`: a language model and how it is reached. */
export const assistantSchema = z
  .object(
    {
      /** Opens its answers in a note: `#Claude :`. */
      name: z
        .string(write(nameAdvice))
        .regex(/^[A-Za-z][\w-]{0,49}$/, write(nameAdvice))
        .refine((name) => !reservedRoles.has(name.toLowerCase()), write(nameAdvice)),
      provider: z.enum(
        ['anthropic', 'openai', 'google', 'openai-compatible'],
        write(
          '"anthropic", "openai", "google", or "openai-compatible" for Ollama and others by their URL',
        ),
      ),
      model: text("the model's name as its provider writes it"),
      /** Where its API is, when it is not the provider's own. */
      baseUrl: z
        .url({ protocol: /^https?$/, ...write('a URL, for example "http://127.0.0.1:11434/v1"') })
        .refine(
          isBase,
          write('a URL without "?", "#" and "@", for example "http://127.0.0.1:11434/v1"'),
        )
        .exactOptional(),
      /** A reference, `${env:NAME}` or `${secret:NAME}`; never the key itself. */
      key: z
        .string(write(keyAdvice))
        .refine((key) => reference.test(key), {
          ...write(
            `${keyAdvice}: a key itself must not stand in a file that travels with the notes`,
          ),
          params: advising({ kind: 'keep-key', secret: 'NAME' }),
        })
        .exactOptional(),
      temperature: z
        .number(write('a number from 0 to 2'))
        .min(0, write('a number from 0 to 2'))
        .max(2, write('a number from 0 to 2'))
        .exactOptional(),
    },
    write('an object with name, provider and model'),
  )
  .superRefine(({ provider, baseUrl, key }, context) => {
    if (provider === 'openai-compatible') {
      if (baseUrl === undefined) context.addIssue({ code: 'custom', message: needsUrl });
    } else if (baseUrl === undefined && key === undefined) {
      const params = advising({ kind: 'keep-key', secret: provider });
      context.addIssue({ code: 'custom', message: 'This provider needs a key.', params });
    }
  });

const needsUrl =
  'This provider is reached by its URL. Write for example "baseUrl": "http://127.0.0.1:11434/v1".';

/** After "?" or "#" the path of the API would be lost, and requests would go to other URLs of that host. */
function isBase(url: string): boolean {
  const { username, password } = parseUrl(url) ?? {};
  return !/[?#]/.test(url) && !username && !password;
}
