/** A random ID. `crypto.randomUUID` exists at secure origins only, which a LAN address is not. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number that identifies an object, in place of data that is too large for a query key. */
export function numberOf(object: object): number {
  const number = numbers.get(object) ?? ++lastNumber;
  numbers.set(object, number);
  return number;
}
