import { exceedsDepth, ValidationError } from '@sluice/domain';

export function tooDeep(maxDepth: number): ValidationError {
  return new ValidationError(`the body is nested deeper than ${maxDepth} levels`);
}

/**
 * Refuses JSON text that is nested deeper than `maxDepth` levels: before it is parsed, which takes seconds for such a text, and before
 * recursive code meets it.
 */
export function assertDepth(text: string, maxDepth: number): void {
  if (exceedsDepth(text, maxDepth)) throw tooDeep(maxDepth);
}

/** Refuses numbers that a double cannot hold: `JSON.parse` makes infinities of them. */
export function assertFiniteNumbers(body: unknown): void {
  const open: object[] = [{ body }];
  for (let value = open.pop(); value; value = open.pop()) {
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) open.push(child);
      if (typeof child === 'number' && !Number.isFinite(child)) throw new ValidationError('a number is out of range');
    }
  }
}
