import { compileValidator, credentialFilter, type ListCredentialsQuery, Type } from '@sluice/contract';
import type { CredentialFilter } from '@sluice/db';
import { invalidRequest } from '@sluice/domain';
import { readJsonParameter } from '../http/request/query.ts';

/** Wrapped in the parameter name, so that error paths start with it. */
const validFilter = compileValidator(Type.Object({ filter: credentialFilter }));

/**
 * The filter of a list, given as JSON (`filter={"type":"aws"}`), as fields (`filter[type]=aws`), or
 * both. Throws `ValidationError`, also if a field is given twice.
 */
export function toCredentialFilter(query: ListCredentialsQuery): Pick<CredentialFilter, 'name' | 'type' | 'projectId'> {
  const filter = query.filter === undefined ? {} : validFilter({ filter: readJsonParameter('filter', query.filter) }).filter;
  const singleValue = (field: keyof typeof filter) => {
    const byField = query[`filter[${field}]`];
    if (byField !== undefined && filter[field] !== undefined)
      throw invalidRequest(`/filter[${field}]`, 'appears more than once');
    return byField ?? filter[field];
  };
  return { name: singleValue('name'), type: singleValue('type'), projectId: singleValue('projectId') };
}
