import { NotFoundError } from '@sluice/domain';

/** Throws `NotFoundError` for what no credential id looks like, so that it never reaches the database or a log in full. */
export function assertCredentialId(id: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
    throw new NotFoundError(`credential ${JSON.stringify(id.slice(0, 64))} does not exist`);
}
