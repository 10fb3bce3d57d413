import { PackageError } from './package-error.ts';

/** Ten times the largest known descriptions. */
const maxDepth = 100;
const maxValues = 500_000;
const maxLength = 8 * 1024 * 1024;

/**
 * Throws `PackageError` for a description that cannot be written as JSON (unsupported values,
 * cycles) or is so large that writing it would block the process. Functions are skipped, as in
 * JSON.
 */
export function assertPlain(description: object, what: string): void {
  const open: { value: unknown; depth: number }[] = [{ value: description, depth: 0 }];
  let values = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    values += 1;
    if (values > maxValues) throw new PackageError(`${what} has more than ${maxValues} values`);
    if (depth > maxDepth) throw new PackageError(`${what} is nested more than ${maxDepth} deep, or within itself`);
    if (typeof value === 'bigint') throw new PackageError(`${what} has a BigInt, which is not JSON`);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  if (JSON.stringify(description).length > maxLength)
    throw new PackageError(`${what} is more than ${maxLength / 1024 / 1024} MiB of JSON`);
}
