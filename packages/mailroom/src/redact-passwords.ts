// What people write before a password: English, German, French, Spanish, Italian, and a few more.
const passwordWords = [
  'pass ?-?words?',
  'passwd',
  'pass(?=\\s*[:=])',
  String.raw`(?:secret|token|recovery key|\p{L}*schlüssel)(?=\s*[:=])`,
  'passwrd',
  'pwd',
  'pw',
  'passcode',
  'pass ?-?phrase',
  'seed phrase',
  'recovery phrase',
  'secret (?:key|phrase|word)',
  'api[ -]?key',
  'access (?:key|token)',
  'credentials?',
  String.raw`(?:\p{L}*)?pass?wor[dt]\p{L}*`,
  String.raw`\p{L}*kennw[oö]rt\p{L}*`,
  'zugangsdaten',
  'mots? de passe',
  'mdp',
  'identifiants?',
  'contrase(?:ñ|n)as?',
  'clave(?: de acceso)?',
  'parola d.ordine',
  'parola chiave',
  'chiave di accesso',
  'senhas?',
  'palavra-passe',
  'wachtwoord(?:en)?',
  'lösenord',
  'hasło',
  'пароль',
].join('|');

/** What stands between the word and the secret. */
const verb = String.raw`(?<![\p{L}\d])(?:is|are|was|will be|to|as|lautet|ist|heißt|lauten|sind|est|sont|es|son|será|è|sono|sarà|é|wird|war|becomes)(?![\p{L}\d])`;
const link = String.raw`(?:(?:${verb}[ \t]*)?(?:[:=→–]|->|=>)|${verb})`;

const passwordBefore = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${passwordWords})(?![\p{L}\d])([^\n:=]{0,60}?)(${link})[ \t]*(\n\s{0,20})?([^\n]{1,300})`,
  'giu',
);

const passwordDirect = new RegExp(
  String.raw`(?<![\p{L}\d])((?:${passwordWords})(?:[ \t]+|[ \t]*[|/-][ \t]*))(["'«“„‘\u0060]?)(?=[^\s"'»”]{0,60}[\d!@#$%^&*+?~])([^\s"'»”]{4,60})`,
  'giu',
);

/** A password in quotes right behind its word. */
const passwordQuoted = new RegExp(
  String.raw`(?<![\p{L}\d])((?:${passwordWords})[ \t]+["'«“„‘\u0060])([^"'»”’\u0060\n]{3,100})(?=["'»”’\u0060])`,
  'giu',
);

/** A password in front of its word: `"hunter2" is your new password`. */
const passwordAfter = new RegExp(
  String.raw`(?<=^|[\s"'«“„‘\u0060(])(?=[^\s]{0,60}[\d!@#$%^&*+?~])([^\s"'»”\u0060]{5,60})(["'»”\u0060]?[ \t]+(?:is|ist|lautet|est|es|è|é|=)[ \t]+[^\n.]{0,40}(?:${passwordWords})(?![\p{L}\d]))`,
  'gimu',
);

/** A quoted password in front of its word: `use "opensesame" as the password`. */
const passwordAs = new RegExp(
  String.raw`(["'«“„‘\u0060])([^"'»”’\u0060\n]{3,100})(?=["'»”’\u0060][ \t]+(?:as|als|comme|como|come)[ \t]+[^\n.]{0,30}(?:${passwordWords})(?![\p{L}\d]))`,
  'giu',
);

/** A word alone on its line, and the password alone on the next. */
const passwordBelow = new RegExp(
  String.raw`^([ \t]*(?:${passwordWords})[ \t]*\n\s{0,20})(?=\S{0,60}[\d!@#$%^&*+?~])(\S{4,60})(?=[ \t]*$)`,
  'gimu',
);

/** An old password and the new one. */
const passwordChanged = new RegExp(
  String.raw`((?<![\p{L}\d])(?:${passwordWords})(?![\p{L}\d])[^\n.]{0,40}[ \t](?:from|von|de|da)[ \t]+)(\S{1,60})([ \t]+(?:to|auf|zu|à|a)[ \t]+)(\S{1,60})`,
  'giu',
);

/** Words that follow "the password is" and are none. */
const noPassword =
  /^(?:about|abgelaufen|bald|correct|expired|expir\w*|going|gültig|in|incorrect|incorrecta?|incorrecto|invalid|mindestens|missing|needed|never|nicht|not|now|no|non|pas|ne|falsch|required|requis\w*|richtig|safe|secure|set|sicher|still|strong|stored|stark|the|to|too|ungültig|unsafe|valid|very|weak|wrong|your|you|être|bien|muy|molto|scaduta|caducado|erforderlich|removed|on|at|by|for|of|when|that)(?![\p{L}\d])/iu;

/** What a secret was replaced by; a bracket alone may be a part of one. */
const removed = /^\[\p{L}+(?: removed\])?$|^\[\p{L}+ removed\]/u;

/** A text with each password replaced. */
export function redactPasswords(text: string, cut: () => string): string {
  return text
    .replace(passwordQuoted, (_all, head: string) => `${head}${cut()}`)
    .replace(passwordAs, (_all, quote: string) => `${quote}${cut()}`)
    .replace(passwordBelow, (all: string, head: string, secret: string) =>
      removed.test(secret) ? all : `${head}${cut()}`,
    )
    .replace(
      passwordChanged,
      (all: string, head: string, one: string, to: string, other: string) =>
        removed.test(one) || !/[\d!@#$%^&*+?~]/.test(one + other)
          ? all
          : `${head}${cut()}${to}${cut()}`,
    )
    .replace(passwordAfter, (_all, _secret: string, rest: string) => `${cut()}${rest}`)
    .replace(
      passwordBefore,
      (all: string, between: string, joint: string, line: string | undefined, rest: string) => {
        if (removed.test(rest.trimStart()) || between.includes(' removed]')) return all;
        const head = all.slice(0, all.length - rest.length);
        // After a colon the whole line is the secret; after a verb its next word, if it can be one.
        if (/(?:[:=→–]|->|=>)$/.test(joint)) {
          if (/[:=]$/.test(joint) && between.length > 40) return all;
          return `${head}${cut()}`;
        }
        if (line !== undefined) return `${head}${cut()}`;
        const [, opening = '', secret = ''] = /^(\s*["'«“„‘`*_]*)([^\s]+)/.exec(rest) ?? [];
        if (secret === '' || noPassword.test(secret)) return all;
        const quoted = /["'«“„‘`]/.test(opening)
          ? /^[^"'»”’`\n]*/.exec(rest.slice(opening.length))?.[0]
          : undefined;
        const bare = quoted ?? secret.replace(/[.,;:!?)]+$/, '');
        return `${head}${opening}${cut()}${rest.slice(opening.length + bare.length)}`;
      },
    )
    .replace(
      passwordDirect,
      (_all, word: string, quote: string, secret: string) =>
        `${word}${quote}${removed.test(secret) || secret.startsWith('removed]') ? secret : cut()}`,
    );
}
