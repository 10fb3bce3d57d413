/** Words that stay lower case in a title, unless they start it. */
const smallWords = new Set(
  'a an and as at but by en for from if in into nor of off on onto or out over per so than the to up upon v via vs with yet'.split(
    ' ',
  ),
);

/** Capitalizes each word except small words. */
export function toTitleCase(text: string): string {
  let isFirst = true;
  return text.toLowerCase().replace(/[^\s!-&(-/:-@[-`{-~]+/g, (word) => {
    const keepsSmall = !isFirst && smallWords.has(word);
    isFirst = false;
    return keepsSmall ? word : word.charAt(0).toUpperCase() + word.substring(1);
  });
}

/** Capitalizes the first letter of each sentence. */
export function toSentenceCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^[\s!-@[-`{-~]*|[.!?]\s+[!-@[-`{-~]*)([^\s!-@[-`{-~])/g, (_, before: string, letter: string) => {
      return before + letter.toUpperCase();
    });
}

/** Converts to lower case; spaces and dashes become `_`, symbols are removed. */
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

/** Replaces letters with diacritics by the closest ASCII letters. */
export function replaceSpecialChars(text: string): string {
  const bare = text.normalize('NFD').replace(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g, '');
  return bare.replace(/[^ -~]/g, (char) => latinLetters[char] ?? char);
}
