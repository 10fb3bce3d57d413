import { compileValidator, dataTableFilter, Type } from '@sluice/contract';
import type { DataFilter } from '@sluice/domain';
import { readJsonParameter } from '../http/read-json-parameter.ts';

/** Wrapped in the name of the parameter, so that paths of errors start with it. */
const validFilter = compileValidator(Type.Object({ filter: dataTableFilter }));

/** The filter that a query parameter has as JSON. Throws `ValidationError`. */
export function toDataFilter(text: string): DataFilter {
  return validFilter({ filter: readJsonParameter('filter', text) }).filter;
}
