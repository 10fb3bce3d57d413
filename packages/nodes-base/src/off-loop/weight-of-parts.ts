import { jsonWeight } from '@sluice/node-sdk';

/** Number of characters that weigh as much as one value, see `jsonWeight`. */
export const charactersPerValue = 64;
/**
 * Maximum total length of strings whose names and paths cost little, regardless of their content.
 */
const maxShortTexts = 2_048;

/**
 * Like `jsonWeight`, but a string weighs as much as the names, path steps, or levels of JSON that
 * it may contain. If all strings together are short, the data is not read again: a path step takes
 * a microsecond.
 */
export function weightOfParts(root: unknown, most: number): number {
  let weight = jsonWeight(root, most);
  const hasShortTexts = weight * charactersPerValue <= maxShortTexts;
  const open: unknown[] = weight > most || hasShortTexts ? [] : [root];
  while (open.length > 0 && weight <= most) {
    const value = open.pop();
    if (typeof value === 'string') weight += separatorsIn(value);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
  return weight;
}

function separatorsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x2e || code === 0x5b) count += 1; // , . [
  }
  return count;
}
