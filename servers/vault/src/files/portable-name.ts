const devices =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|$)/i;

/** Why some system in use could not hold a file of this name, as the end of a sentence. */
export function whyNotPortable(name: string): string | undefined {
  // biome would call a literal class of control characters a mistake, so they are tested by number.
  if ([...name].some((letter) => letter < ' ')) return 'contains a control character';
  const forbidden = /[<>:"|?*\\/]/.exec(name);
  if (forbidden !== null) return `contains ${forbidden[0]}, which Windows cannot store`;
  if (/[. ]$/.test(name)) return 'ends in a dot or a space, which Windows would drop';
  if (devices.test(name)) return 'is the name of a device on Windows';
  if (Buffer.byteLength(name) > 255) return 'is longer than the 255 bytes a file name may have';
  return undefined;
}
