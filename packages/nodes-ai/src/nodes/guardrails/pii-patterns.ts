// cspell:ignore trwagmyfpdxbnjzsqvhlcke ceghj ehlmprst abcfghjlpt
import { isIP } from 'node:net';
import { stringOf } from '@sluice/nodes-base/node-tools';

/** A kind of personal data: its pattern, and whether a match is valid. */
interface PiiPattern {
  /** Never takes more than linear time. */
  pattern: RegExp;
  isValid?(match: string): boolean;
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** https://en.wikipedia.org/wiki/Luhn_algorithm */
function hasLuhnDigit(text: string): boolean {
  const digits = [...digitsOf(text)].map(Number).reverse();
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? digit : digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return digits.length >= 13 && digits.length <= 19 && sum % 10 === 0;
}

/** ISO 13616: the number modulo 97 is 1. */
function isIban(text: string): boolean {
  const plain = text.replace(/ /g, '');
  const moved = plain.slice(4) + plain.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => stringOf(letter.charCodeAt(0) - 55));
  return (
    plain.length >= 15 && plain.length <= 34 && [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
  );
}

/** The last digit of an NHS number is a check digit. */
function isNhs(text: string): boolean {
  const digits = [...digitsOf(text)].map(Number);
  const sum = digits.slice(0, 9).reduce((total, digit, index) => total + digit * (10 - index), 0);
  return (11 - (sum % 11)) % 11 === digits[9];
}

function isPesel(text: string): boolean {
  const digits = [...text].map(Number);
  const weights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3];
  const sum = weights.reduce((total, weight, index) => total + weight * (digits[index] ?? 0), 0);
  return (10 - (sum % 10)) % 10 === digits[10];
}

const letters = 'TRWAGMYFPDXBNJZSQVHLCKE';
/**
 * Spanish ID numbers end in a check letter; numbers of foreigners start with X, Y, or Z for 0, 1,
 * or 2.
 */
function isSpanish(text: string): boolean {
  const plain = text.replace(/-/g, '').toUpperCase();
  const number = Number(plain.slice(0, -1).replace(/^[XYZ]/, (letter) => stringOf('XYZ'.indexOf(letter))));
  return letters[number % 23] === plain.at(-1);
}

/** Without a leading `+`, more digits are required, and dates do not match. */
function isPhone(text: string): boolean {
  const { length } = digitsOf(text);
  const least = text.startsWith('+') ? 8 : 9;
  return length >= least && length <= 15 && !/^\d{4}-\d{2}-\d{2}/.test(text);
}

/** The kinds that patterns can detect, most certain first: matched text is not matched again. */
export const piiPatterns: Readonly<Record<string, PiiPattern>> = {
  EMAIL_ADDRESS: { pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g },
  CREDIT_CARD: { pattern: /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g, isValid: hasLuhnDigit },
  IBAN_CODE: { pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{1,4}){3,8}\b/g, isValid: isIban },
  CRYPTO: { pattern: /\b(?:bc1[a-z0-9]{25,59}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-fA-F]{40})\b/g },
  IP_ADDRESS: { pattern: /(?<![\w.:])[0-9a-fA-F:.]{3,45}(?![\w:])/g, isValid: (text) => isIP(text.replace(/\.$/, '')) !== 0 },
  US_SSN: { pattern: /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g },
  US_ITIN: { pattern: /(?<![\w-])9\d{2}-[5-9]\d-\d{4}(?![\w-])/g },
  UK_NHS: { pattern: /(?<![\w-]|\+\d{1,3} )\d{3}[ -]?\d{3}[ -]?\d{4}(?![\w-])/g, isValid: isNhs },
  UK_NINO: { pattern: /\b(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/g },
  ES_NIF: { pattern: /\b\d{8}-?[A-Z]\b/g, isValid: isSpanish },
  ES_NIE: { pattern: /\b[XYZ]-?\d{7}-?[A-Z]\b/g, isValid: isSpanish },
  IT_FISCAL_CODE: { pattern: /\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b/g },
  PL_PESEL: { pattern: /(?<![\w-])\d{11}(?![\w-])/g, isValid: isPesel },
  IN_PAN: { pattern: /\b[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]\b/g },
  PHONE_NUMBER: { pattern: /(?<![\w.-])\+?\(?\d{1,4}\)?(?:[ .()-]{1,2}\d{2,8}){1,5}(?![\w-])/g, isValid: isPhone },
};
