/*
 * The order of printable ASCII in the host's default collation (the root order), so that sorting
 * names needs no host call per pair. A test compares it with the host's order.
 */
const order = '_-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';

const weights = new Map([...` ${order}`].map((char, weight) => [char, weight]));
const plainAscii = /^[ -~]*$/;

export function isPlainAscii(text: string): boolean {
  return plainAscii.test(text);
}

/** Compares letters ignoring case; if they are equal, lower case precedes upper case. */
export function compareAscii(a: string, b: string): number {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()];
  if (lowerA === lowerB) return compareCase(a, b);
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = weightAt(lowerA, at) - weightAt(lowerB, at);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}

function weightAt(text: string, at: number): number {
  return weights.get(text.charAt(at)) ?? 0;
}

function compareCase(a: string, b: string): number {
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return a.charAt(at) > b.charAt(at) ? -1 : 1;
  }
  return 0;
}
