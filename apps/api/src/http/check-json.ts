import { ValidationError } from '@sluice/domain';

/**
 * Refuses what `JSON.parse` lets through but nothing behind it should meet: nesting beyond `maxDepth` (recursive code, and
 * `JSON.stringify` is, would overflow its stack) and numbers that a double cannot hold.
 */
export function checkJson(body: unknown, { maxDepth }: { maxDepth: number }): void {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) throw new ValidationError(`the body is nested deeper than ${maxDepth} levels`);
    level = childrenOf(level);
  }
}

/** The objects and arrays within those of a level, after a look at its numbers. */
function childrenOf(level: readonly unknown[]): unknown[] {
  const children: unknown[] = [];
  for (const value of level) {
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) children.push(child);
      if (typeof child === 'number' && !Number.isFinite(child)) throw new ValidationError('a number is out of range');
    }
  }
  return children;
}
