import { ExitError, exitCodes } from '../exit-codes.ts';
import { ask, type Server } from './server.ts';

/**
 * Returns the ID of a version of a workflow, given its number or its ID. Throws an `ExitError` if
 * no version has the number; an ID is not checked.
 */
export async function getVersionId(server: Server, id: string, wanted: string): Promise<string> {
  if (!/^\d{1,9}$/.test(wanted)) return wanted;
  const number = Number(wanted);
  const params = { path: { id }, query: { number } };
  const { data } = await ask(server, server.api.GET('/workflows/{id}/versions', { params }));
  // Servers of earlier releases ignore the number and return the newest versions.
  const version = data.find((candidate) => candidate.number === number);
  if (version) return version.id;
  throw new ExitError(exitCodes.failed, `workflow ${id} has no version ${wanted}`);
}
