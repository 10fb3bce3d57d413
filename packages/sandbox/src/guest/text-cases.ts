/** Words that keep their spelling in a title, unless they start or end it. */
const smallWords = new Set(
  'a an and as at because but by en for if in neither nor of on only or over per so some than that the to up upon v via vs when with without yet'.split(
    ' ',
  ),
);
/** A text such as `iPhone`, `NASA`, or `example.com` keeps its spelling. */
const ownSpelling = /.[A-Z]|.\../;
const titleWord = /[^\s!-/:-@[-`{-~\u2000-\u206f]+/g;

/** Capitalizes each word except small words, also after a dash. Capitals within a word are kept. */
export function toTitleCase(text: string): string {
  const first = text.search(/[^\s!-/:-@[-`{-~\u2000-\u206f]/);
  return text.replace(/\S+/g, (token, start: number) => {
    if (ownSpelling.test(token)) return token;
    let isInside = false;
    return token.replace(titleWord, (word: string, offset: number) => {
      const isPart = isInside && !/[-\u2010-\u2015]/.test(token.charAt(offset - 1));
      isInside = true;
      const index = start + offset;
      const isSmall = index !== first && index + word.length !== text.length && smallWords.has(word);
      return isPart || isSmall ? word : word.charAt(0).toUpperCase() + word.substring(1);
    });
  });
}

/** Converts to lower case, except the first letter and the next one after `.`, `!`, or `?`. */
export function toSentenceCase(text: string): string {
  let isStart = true;
  return Array.from(text.toLowerCase(), (char) => {
    const upper = char.toUpperCase();
    const result = isStart ? upper : char;
    if ('.!?'.includes(char)) isStart = true;
    else if (upper !== char) isStart = false;
    return result;
  }).join('');
}

/** Converts to lower case; each space and dash becomes `_`, other punctuation is removed. */
export function toSnakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ -]/g, '_')
    .replace(/[!-/:-@[-^`{-~\u2000-\u206f]/g, '');
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
