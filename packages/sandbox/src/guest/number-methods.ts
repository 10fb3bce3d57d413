import { numberToDateTime } from './date-conversion.ts';
import { ExpressionFailure } from './failures.ts';
import { stringify } from './json.ts';
import type { MethodTable } from './method-table.ts';

export const numberMethods: MethodTable<number> = {
  abs: (number) => Math.abs(number),
  ceil: (number) => Math.ceil(number),
  floor: (number) => Math.floor(number),
  format: (number, locale?: string, options?: Intl.NumberFormatOptions) => number.toLocaleString(locale, options),
  isEmpty: (number) => !number,
  isEven: (number) => integer(number, 'isEven') % 2 === 0,
  isInteger: (number) => Number.isInteger(number),
  isNotEmpty: (number) => Boolean(number),
  isOdd: (number) => integer(number, 'isOdd') % 2 !== 0,
  round,
  toBoolean: (number) => number !== 0,
  toDateTime: numberToDateTime,
  toDecimalNumber: (number) => number,
  toFloat: (number) => number,
  toInt: (number) => round(number),
  toJsonString: (number) => stringify(number),
  toNumber: (number) => number,
  toWholeNumber: (number) => round(number),
};

export const booleanMethods: MethodTable<boolean> = {
  isEmpty: (value) => !value,
  isNotEmpty: (value) => value,
  toBoolean: (value) => value,
  toInt: (value) => Number(value),
  toJsonString: (value) => stringify(value),
  toNumber: (value) => Number(value),
};

function integer(number: number, method: string): number {
  if (!Number.isInteger(number)) throw new ExpressionFailure(`${method}() is for whole numbers only`);
  return number;
}

/** Rounds the displayed decimal digits, so that 1.005 becomes 1.01. */
function round(number: number, decimalPlaces = 0): number {
  const [digits = '0', exponent = '0'] = String(Math.abs(number)).split('e');
  const shifted = Math.round(Number(`${digits}e${Number(exponent) + decimalPlaces}`));
  const [rounded = '0', magnitude = '0'] = String(shifted).split('e');
  const value = Number(`${rounded}e${Number(magnitude) - decimalPlaces}`);
  return Number.isNaN(value) ? number : Math.sign(number) * value;
}
