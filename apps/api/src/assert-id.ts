import { isId, NotFoundError } from '@sluice/domain';

/** Throws `NotFoundError` for what no id looks like, so that it never reaches the database or a log in full. `what`: what is asked for. */
export function assertId(what: 'credential' | 'tag' | 'version' | 'workflow', id: string): void {
  if (!isId(id)) throw new NotFoundError(`${what} ${JSON.stringify(id.slice(0, 64))} does not exist`);
}
