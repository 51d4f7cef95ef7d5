/** Why a text is no name of a branch or tag; undefined when it is one. The rules are those of git. */
export function gitNameProblem(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.startsWith('-')) return 'begins with "-", as only options do';
  const isForbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(?:^|\/)\.|\.lock(?:\/|$)/u.test(
    name,
  );
  return isForbidden || name === '@' || name === 'HEAD' ? 'is no name that git allows' : undefined;
}
