import { randomInt as secureInt } from 'node:crypto';

/** A random integer below the first number, or from the first to below the second. */
export function randomInt(min: number, max?: number): number {
  return max === undefined ? secureInt(0, min) : secureInt(min, max);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Unguessable letters and digits; with two numbers, of a random length between them. */
export function randomString(minLength: number, maxLength?: number): string {
  const length = maxLength === undefined ? minLength : secureInt(minLength, maxLength + 1);
  return Array.from({ length }, () => letters[secureInt(letters.length)]).join('');
}
