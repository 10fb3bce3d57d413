import { NodeOperationError } from '@sluice/node-sdk';
import type { DateTime } from 'luxon';

/*
 * Version 1 of the node speaks the tokens of moment, we speak those of luxon. A token is one of luxon's, by which dates are written and
 * read, or a function, by which they are written only.
 */

type Written = (date: DateTime) => string;

const ordinal = (value: number): string => {
  const tens = value % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${suffix}`;
};

const fraction =
  (digits: number): Written =>
  (date) =>
    String(date.millisecond).padStart(3, '0').padEnd(digits, '0').slice(0, digits);

const tokens = new Map<string, string | Written>([
  ['YYYY', 'yyyy'],
  ['YY', 'yy'],
  ['Y', 'y'],
  ['Q', 'q'],
  ['Qo', (date) => ordinal(date.quarter)],
  ['M', 'M'],
  ['MM', 'MM'],
  ['MMM', 'MMM'],
  ['MMMM', 'MMMM'],
  ['Mo', (date) => ordinal(date.month)],
  ['D', 'd'],
  ['DD', 'dd'],
  ['Do', (date) => ordinal(date.day)],
  ['DDD', 'o'],
  ['DDDD', 'ooo'],
  ['DDDo', (date) => ordinal(date.ordinal)],
  ['d', (date) => String(date.weekday % 7)],
  ['do', (date) => ordinal(date.weekday % 7)],
  ['dd', (date) => date.toFormat('EEE').slice(0, 2)],
  ['ddd', 'EEE'],
  ['dddd', 'EEEE'],
  ['E', 'E'],
  ['e', (date) => String(date.weekday % 7)],
  ['W', 'W'],
  ['WW', 'WW'],
  ['Wo', (date) => ordinal(date.weekNumber)],
  ['w', 'n'],
  ['ww', 'nn'],
  ['wo', (date) => ordinal(date.localWeekNumber)],
  ['GGGG', 'kkkk'],
  ['GG', 'kk'],
  ['gggg', 'iiii'],
  ['gg', 'ii'],
  ['A', 'a'],
  ['a', (date) => date.toFormat('a').toLowerCase()],
  ['H', 'H'],
  ['HH', 'HH'],
  ['h', 'h'],
  ['hh', 'hh'],
  ['k', (date) => String(date.hour || 24)],
  ['kk', (date) => String(date.hour || 24).padStart(2, '0')],
  ['m', 'm'],
  ['mm', 'mm'],
  ['s', 's'],
  ['ss', 'ss'],
  ['S', fraction(1)],
  ['SS', fraction(2)],
  ['SSS', 'SSS'],
  ['Z', 'ZZ'],
  ['ZZ', 'ZZZ'],
  ['z', 'ZZZZ'],
  ['zz', 'ZZZZ'],
  ['X', 'X'],
  ['x', 'x'],
]);

/** Tokens that stand for several. */
const long = new Map([
  ['LT', 'h:mm A'],
  ['LTS', 'h:mm:ss A'],
  ['L', 'MM/DD/YYYY'],
  ['l', 'M/D/YYYY'],
  ['LL', 'MMMM D, YYYY'],
  ['ll', 'MMM D, YYYY'],
  ['LLL', 'MMMM D, YYYY h:mm A'],
  ['lll', 'MMM D, YYYY h:mm A'],
  ['LLLL', 'dddd, MMMM D, YYYY h:mm A'],
  ['llll', 'ddd, MMM D, YYYY h:mm A'],
]);

const token =
  /\[[^[\]]*\]|LTS?|L{1,4}|l{1,4}|YYYY|YY|Y|Qo?|Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|[Ee]|Wo|WW?|wo|ww?|GGGG|GG|gggg|gg|[Aa]|HH?|hh?|kk?|mm?|ss?|S{1,9}|ZZ?|zz?|[Xx]/g;

const maxFormatLength = 500;

/** Pieces of a format: literal text, or a token as moment has it. */
function piecesOf(format: string): ({ text: string } | { token: string })[] {
  if (format.length > maxFormatLength)
    throw new NodeOperationError(`a date format has ${maxFormatLength} characters at most`, {
      description: 'Write a shorter format',
    });
  const expanded = format.replace(token, (found) => long.get(found) ?? found);
  const pieces: ({ text: string } | { token: string })[] = [];
  let end = 0;
  for (const match of expanded.matchAll(token)) {
    if (match.index > end) pieces.push({ text: expanded.slice(end, match.index) });
    const [found] = match;
    pieces.push(found.startsWith('[') ? { text: found.slice(1, -1) } : { token: found });
    end = match.index + found.length;
  }
  if (end < expanded.length) pieces.push({ text: expanded.slice(end) });
  return pieces;
}

/** Writes a date in a format of moment. */
export function writeMoment(date: DateTime, format: string): string {
  return piecesOf(format)
    .map((piece) => {
      if ('text' in piece) return piece.text;
      const known = tokens.get(piece.token) ?? fraction(piece.token.length);
      return typeof known === 'string' ? date.toFormat(known) : known(date);
    })
    .join('');
}

/** A format of moment as luxon reads it. Throws a `NodeOperationError` for a token that luxon does not read. */
export function readableFormat(format: string): string {
  return piecesOf(format)
    .map((piece) => {
      if ('text' in piece) return literal(piece.text);
      const known = tokens.get(piece.token);
      if (typeof known === 'string' && !/^[Xx]$/.test(known)) return known;
      throw new NodeOperationError(`dates with "${piece.token}" in their format cannot be read`, {
        description: 'Take the date apart with an expression or a Code node first',
      });
    })
    .join('');
}

/** In luxon's formats, letters of a text stand between quotes. */
function literal(text: string): string {
  return /[a-zA-Z]/.test(text) ? `'${text.replaceAll("'", '’')}'` : text;
}
