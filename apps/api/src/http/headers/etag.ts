import { ConflictError } from '@sluice/domain';

/** The tag of one state of a resource. */
export function etagOf(revision: string): string {
  return `"${revision}"`;
}

/** Throws 409 `VERSION_CONFLICT` when `If-Match` is given and names other states only. */
export function assertMatches(ifMatch: string | undefined, revision: string): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(etagOf(revision))) return;
  throw new ConflictError('the resource has changed since it was read', 'VERSION_CONFLICT');
}
