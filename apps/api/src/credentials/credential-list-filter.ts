import { compileValidator, credentialFilter, type ListCredentialsQuery, Type } from '@sluice/contract';
import type { CredentialFilter } from '@sluice/db';
import { isAppError, ValidationError } from '@sluice/domain';
import { findJsonFault } from '../http/find-json-fault.ts';

/** Wrapped in the name of the parameter, so that paths of errors start with it. */
const validFilter = compileValidator(Type.Object({ filter: credentialFilter }));
/** Nesting levels of the deepest possible filter. */
const maxDepth = 10;

/**
 * The filter of a list, given as JSON (`filter={"type":"aws"}`), as fields (`filter[type]=aws`), or both: fields win. Throws
 * `ValidationError`.
 */
export function toCredentialFilter(query: ListCredentialsQuery): Pick<CredentialFilter, 'name' | 'type' | 'projectId'> {
  const filter = query.filter === undefined ? {} : validFilterText(query.filter);
  return {
    name: query['filter[name]'] ?? filter.name,
    type: query['filter[type]'] ?? filter.type,
    projectId: query['filter[projectId]'] ?? filter.projectId,
  };
}

function validFilterText(text: string): Pick<CredentialFilter, 'name' | 'type' | 'projectId'> {
  try {
    const found = findJsonFault(Buffer.from(text), { maxDepth, uniqueKeys: true });
    if (found?.fault === 'repeated key') throw invalidFilter('must name each key once');
    return validFilter({ filter: JSON.parse(text) }).filter;
  } catch (error) {
    throw isAppError(error) ? error : invalidFilter('must be a JSON object');
  }
}

function invalidFilter(message: string): ValidationError {
  return new ValidationError('the request is not valid', [{ path: '/filter', message }]);
}
