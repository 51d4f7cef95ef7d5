import { around, cutRanges, type TextRange } from './redact-near.ts';

const webAddress =
  /(?<![\w@.-])(?:https?:\/\/[^\s<>"')\]]+|(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\/[^\s<>"')\]]+)/gi;

/** What is said beside a link that lets somebody in: words for logins and passwords, or to confirm who one is. */
const loginWord =
  /log(?:ging)?[ -]?in(?!\p{L})|sign(?:ing)?[ -]?(?:in|up)(?!\p{L})|magic|passwor[dt]|kennwort|anmeld|anzumeld|einlogg|einzulogg|zurücksetz|freischalt|mot de passe|connecte[rz]|connexion|réinitial|contraseña|iniciar sesión|para entrar|acced[aei]|restablec|reimposta|per entrare|(?:lien|enlace|link) d[’'ei]{1,2} ?acc\p{L}{1,4}|(?:confirm|verif|vérif|bestätig|conferm|a[ck]tiv|attiv)\p{L}{0,6}[^\n.]{0,30}(?:mail|adress|address|account|konto|compte|cuenta|correo|direcci|indirizzo|identi|regist|inscription|anmeldung)/giu;

/** A text with each link replaced that lets whoever has it in. */
export function redactLinks(text: string, cut: () => string): string {
  const said = around(text, loginWord, { before: 60, behind: 150 });
  let place = 0;
  const links: TextRange[] = [];
  for (const { index: from, 0: url } of text.matchAll(webAddress)) {
    while (place < said.length && (said[place]?.to ?? 0) < from) place += 1;
    const to = from + url.length;
    const isNear = (said[place]?.from ?? Number.POSITIVE_INFINITY) <= to;
    if (isLoginLink(url) || (isNear && isOpaque(url))) links.push({ from, to });
  }
  return cutRanges(text, links, cut);
}

/** An address of a reset, a confirmation, a login without a password. */
function isLoginLink(url: string): boolean {
  return (
    /[?&#;/](?:[\w-]*(?:token|otp|magic|passcode|password|signature|secret|ticket|nonce)|auth|key|code|sig|hash|k|t)[=/][^&\s]{6,}/i.test(
      url,
    ) ||
    (/(?:reset|verif|confirm|activat|magic|invite|unlock|recover|sign-?in|log-?in|password|einladung|bestaetig|zuruecksetz|reinitialis|restablec|conferma|reimposta)/i.test(
      url,
    ) &&
      /[\w-]{16,}/.test(behindHost(url)))
  );
}

/** Whether a part of an address is no word: what somebody knows who has it. Links to meetings have such parts as well. */
function isOpaque(url: string): boolean {
  if (/[./-](?:meet|meeting|meetup|calendar|zoom|webex)[a-z-]*[./]/i.test(url)) return false;
  return (behindHost(url).match(/[A-Za-z0-9_]{8,}/g) ?? []).some(
    (part) => (/\d/.test(part) || /[a-z][A-Z]/.test(part)) && /[A-Za-z]/.test(part),
  );
}

function behindHost(url: string): string {
  return url.replace(/^(?:https?:\/\/)?[^/?#]*/i, '');
}
