import { PackageError } from './package-error.ts';

/** More than the largest descriptions that are known, tenfold. */
const maxDepth = 100;
const maxValues = 500_000;
const maxLength = 8 * 1024 * 1024;

/**
 * Throws `PackageError` for a description that cannot be told as JSON, or that is so large that telling it would hold up everybody: a value that JSON does not
 * have, one within itself. Functions are passed over, as JSON does.
 */
export function assertPlain(description: object, what: string): void {
  const open: { value: unknown; depth: number }[] = [{ value: description, depth: 0 }];
  let values = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    values += 1;
    if (values > maxValues) throw new PackageError(`${what} has more than ${maxValues} values`);
    if (depth > maxDepth) throw new PackageError(`${what} is nested more than ${maxDepth} deep, or within itself`);
    if (typeof value === 'bigint') throw new PackageError(`${what} has a BigInt, which is no JSON`);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  if (JSON.stringify(description).length > maxLength)
    throw new PackageError(`${what} is more than ${maxLength / 1024 / 1024} MiB of JSON`);
}
