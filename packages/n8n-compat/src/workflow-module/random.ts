import { randomInt as secureInt } from 'node:crypto';

/** A whole number: from 0 to below the first, or from the first to below the second. */
export function randomInt(min: number, max?: number): number {
  return max === undefined ? secureInt(0, min) : secureInt(min, max);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits that nobody can guess; with two numbers, as many as fall between them. */
export function randomString(minLength: number, maxLength?: number): string {
  const length = maxLength === undefined ? minLength : secureInt(minLength, maxLength + 1);
  return Array.from({ length }, () => letters[secureInt(letters.length)]).join('');
}
