import { compileValidator, credentialFilter, type ListCredentialsQuery } from '@sluice/contract';
import type { CredentialFilter } from '@sluice/db';
import { isAppError, ValidationError } from '@sluice/domain';

const validFilter = compileValidator(credentialFilter);

/**
 * The filter of a list, given as JSON (`filter={"type":"aws"}`), as fields (`filter[type]=aws`), or both: fields win. Throws
 * `ValidationError`.
 */
export function toCredentialFilter(query: ListCredentialsQuery): Pick<CredentialFilter, 'name' | 'type' | 'projectId'> {
  const given = query.filter === undefined ? {} : validFilterText(query.filter);
  return {
    name: query['filter[name]'] ?? given.name,
    type: query['filter[type]'] ?? given.type,
    projectId: query['filter[projectId]'] ?? given.projectId,
  };
}

function validFilterText(text: string): Pick<CredentialFilter, 'name' | 'type' | 'projectId'> {
  try {
    return validFilter(JSON.parse(text));
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new ValidationError('the request is not valid', [{ path: '/filter', message: 'must be a JSON object' }]);
  }
}
