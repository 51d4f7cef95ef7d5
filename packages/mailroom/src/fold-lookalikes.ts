/** A text in small Latin letters: no accents, no invisible characters, letters that look like Latin ones replaced. */
export function foldLookalikes(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
      // In small letters these look like others.
      .replace(/[ΗΝВ]/g, (letter) => capitals[letter] ?? letter)
      .toLowerCase()
      .replace(/[^\p{ASCII}\s]/gu, (letter) => latin.get(letter) ?? letter)
  );
}

/** The skeleton of a word, as Unicode calls it: words that look alike have the same one (`invo1ce`, `lnvoice`). */
export function skeleton(word: string): string {
  return word.replace(/[0134578@$!|€£l]/g, (sign) => letters[sign] ?? sign).replaceAll('rn', 'm');
}

/** A folded text with the skeletons of its words. Numbers stay: 8111 is no bill. */
export function skeletons(folded: string): string {
  return folded.replace(/[\p{L}\d@$!|€£]+/gu, (word) =>
    /\p{L}/u.test(word) ? skeleton(word) : word,
  );
}

/** Words that are spelled out in pieces of one or two letters: `i n v o i c e`, `p.a.y`. */
export function joinSpelled(folded: string): readonly string[] {
  const joined: string[] = [];
  let pieces: string[] = [];
  let end = 0;
  const close = () => {
    if (pieces.length > 2) joined.push(pieces.join(''));
    pieces = [];
  };
  for (const { 0: word, index } of folded.matchAll(/[\p{L}\d]+/gu)) {
    if (index - end > longestGap) close();
    end = index + word.length;
    if (word.length <= longestPiece) pieces.push(word);
    else close();
  }
  close();
  return joined;
}

/** Greek and Cyrillic capitals that look like other Latin letters than their small ones do. */
const capitals: Readonly<Record<string, string>> = { Η: 'h', Ν: 'n', В: 'b' };

const longestGap = 3;
const longestPiece = 2;

/** A text without signs inside of its words, also at the end of a line: `in-voice`, `re_fund`. */
export function joinHyphenated(folded: string): string {
  return folded.replace(/(?<=\p{L})[^\p{L}\d\s]{1,2}(?:[ \t]{0,9}\n[ \t]{0,9})?(?=\p{L})/gu, '');
}

/** The letters that digits and signs look like. `l` and `i` are one. */
const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '€': 'e',
  '£': 'i',
  l: 'i',
};

/** A letter and the Latin one that it looks like. */
const pairs = [
  // Cyrillic
  'аa еe оo рp сc уy хx іi ѕs јj кk мm тt нh вb ԁd ԛq ԝw һh ӏl гr пn иu ԍg',
  // Greek
  'αa βb εe γy ιi κk νv οo ρp τt υu χx ηn ωw ϲc ϳj',
  // Armenian
  'ոn սu օo ցg հh յj գq',
  // Small capitals
  'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz',
  // Letters whose stroke or form NFKD leaves
  'ɑa ɡg ıi ɩi łl øo đd ħh ßs',
];

/** Where the alphabets of white letters in circles, white letters in squares, and of flags begin. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6];

const latin = new Map<string, string>([
  ...pairs.flatMap((line) =>
    line.split(' ').map(([letter = '', as = '']) => [letter, as] as const),
  ),
  ...alphabets.flatMap((first) =>
    [...'abcdefghijklmnopqrstuvwxyz'].map(
      (letter, at) => [String.fromCodePoint(first + at), letter] as const,
    ),
  ),
]);
