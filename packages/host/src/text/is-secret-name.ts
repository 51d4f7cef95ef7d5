/** Whether a variable, header or field of this name usually holds a password, a key or a token. */
export function isSecretName(name: string): boolean {
  return pattern.test(name);
}

const pattern =
  /pass(?:$|w|[-_ ]?phrase|[-_ ]?code)|secret|token|(?:api|access|private|[-_ .])[-_ ]?key(?:$|[-_ ])|auth(?:$|orization|[-_ ])|credential|cookie|\b(?:pin|otp|cvv|cvc)\b/i;
