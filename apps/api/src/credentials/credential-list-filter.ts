import { compileValidator, credentialFilter, type ListCredentialsQuery, Type } from '@sluice/contract';
import type { CredentialFilter } from '@sluice/db';
import { readJsonParameter } from '../http/read-json-parameter.ts';

/** Wrapped in the name of the parameter, so that paths of errors start with it. */
const validFilter = compileValidator(Type.Object({ filter: credentialFilter }));

/**
 * The filter of a list, given as JSON (`filter={"type":"aws"}`), as fields (`filter[type]=aws`), or both: fields win. Throws
 * `ValidationError`.
 */
export function toCredentialFilter(query: ListCredentialsQuery): Pick<CredentialFilter, 'name' | 'type' | 'projectId'> {
  const filter = query.filter === undefined ? {} : validFilter({ filter: readJsonParameter('filter', query.filter) }).filter;
  return {
    name: query['filter[name]'] ?? filter.name,
    type: query['filter[type]'] ?? filter.type,
    projectId: query['filter[projectId]'] ?? filter.projectId,
  };
}
