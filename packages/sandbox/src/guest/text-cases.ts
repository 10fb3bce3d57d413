/** Words that a title leaves small, unless it begins with them. */
const smallWords = new Set(
  'a an and as at but by en for from if in into nor of off on onto or out over per so than the to up upon v via vs with yet'.split(
    ' ',
  ),
);

/** Capitals for each word but the small ones. */
export function toTitleCase(text: string): string {
  let isFirst = true;
  return text.toLowerCase().replace(/[^\s!-&(-/:-@[-`{-~]+/g, (word) => {
    const keepsSmall = !isFirst && smallWords.has(word);
    isFirst = false;
    return keepsSmall ? word : word.charAt(0).toUpperCase() + word.substring(1);
  });
}

/** A capital for the first letter of each sentence. */
export function toSentenceCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^[\s!-@[-`{-~]*|[.!?]\s+[!-@[-`{-~]*)([^\s!-@[-`{-~])/g, (_, before: string, letter: string) => {
      return before + letter.toUpperCase();
    });
}

/** Small letters; spaces and dashes become `_`, symbols go. */
export function toSnakeCase(text: string): string {
  const words = text.trim().replace(/[\s-]+/g, '_');
  return words.replace(/[!-/:-@[-^`{-~]/g, '').toLowerCase();
}

const latinLetters: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ł: 'l',
  Ł: 'L',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
};

/** Letters with marks become the ASCII letters that look most like them. */
export function replaceSpecialChars(text: string): string {
  const bare = text.normalize('NFD').replace(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g, '');
  return bare.replace(/[^ -~]/g, (char) => latinLetters[char] ?? char);
}
