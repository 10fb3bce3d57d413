import { ExitError, exitCodes } from '../exit-codes.ts';
import { entriesOf } from './pages.ts';
import { ask, type Server } from './server.ts';

/**
 * Returns the ID of a version of a workflow, given its number or its ID. Throws an `ExitError` if no
 * version has the number; an ID is not checked.
 */
export async function getVersionId(server: Server, id: string, wanted: string): Promise<string> {
  if (!/^\d{1,9}$/.test(wanted)) return wanted;
  const path = { id };
  const versions = entriesOf((query) => ask(server, server.api.GET('/workflows/{id}/versions', { params: { path, query } })));
  for await (const version of versions) if (version.number === Number(wanted)) return version.id;
  throw new ExitError(exitCodes.failed, `workflow ${id} has no version ${wanted}`);
}
