import { compileValidator, dataTableFilter, Type } from '@sluice/contract';
import type { DataFilter } from '@sluice/domain';
import { readJsonParameter } from '../http/query.ts';

/** Wrapped in the parameter name, so that error paths start with it. */
const validFilter = compileValidator(Type.Object({ filter: dataTableFilter }));

/** The filter in a query parameter, as JSON. Throws `ValidationError`. */
export function toDataFilter(text: string): DataFilter {
  return validFilter({ filter: readJsonParameter('filter', text) }).filter;
}
