import { type ExecuteContext, isJsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { parseFieldPath, readField } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, numberParameter, textParameter, wrongParameter } from '../../shared/parameters.ts';

export const paginationPath = 'options.pagination.pagination';

/** How an item's request is repeated for further pages. */
export interface Pagination {
  mode: 'updateAParameterInEachRequest' | 'responseContainsNextURL';
  completeWhen: 'responseIsEmpty' | 'receiveSpecificStatusCodes' | 'other';
  /** Statuses that mean there are no more pages. */
  completeStatuses: readonly number[];
  maxRequests: number;
  /** Interval between two requests, in milliseconds. */
  intervalMs: number;
}

/**
 * Default maximum number of requests per item: longer than any real list, and a bound for endless
 * lists.
 */
const requestLimit = 10_000;

/** `undefined` without pagination. */
export function readPagination(context: ExecuteContext, itemIndex: number): Pagination | undefined {
  const at = (name: string) => `${paginationPath}.${name}`;
  // Unevaluated: its expressions have no value yet.
  const written = readField(context.node.parameters, parseFieldPath(paginationPath));
  if (context.typeVersion < 3 || written === undefined) return undefined;
  const modes = ['off', 'updateAParameterInEachRequest', 'responseContainsNextURL'] as const;
  const mode = choiceParameter(context, at('paginationMode'), itemIndex, modes, 'updateAParameterInEachRequest');
  if (mode === 'off') return undefined;
  const ends = ['responseIsEmpty', 'receiveSpecificStatusCodes', 'other'] as const;
  const completeWhen = choiceParameter(context, at('paginationCompleteWhen'), itemIndex, ends, 'responseIsEmpty');
  const isLimited = booleanParameter(context, at('limitPagesFetched'), itemIndex, false);
  const maxRequests = isLimited ? numberParameter(context, at('maxRequests'), itemIndex, 100) : requestLimit;
  return {
    mode,
    completeWhen,
    completeStatuses: completeWhen === 'receiveSpecificStatusCodes' ? readStatuses(context, itemIndex) : [],
    maxRequests: Math.min(Math.max(1, Math.floor(maxRequests)), requestLimit),
    intervalMs: Math.max(0, numberParameter(context, at('requestInterval'), itemIndex, 0)),
  };
}

function readStatuses(context: ExecuteContext, itemIndex: number): number[] {
  const path = `${paginationPath}.statusCodesWhenComplete`;
  const text = textParameter(context, path, itemIndex);
  const statuses = text.split(',').map((status) => Number(status.trim()));
  if (text.trim() !== '' && statuses.every((status) => Number.isInteger(status) && status >= 100 && status < 600))
    return statuses;
  throw wrongParameter(path, 'HTTP statuses separated by commas', text, itemIndex);
}

/** Whether a page is completely empty. */
export function isEmptyPage(body: JsonValue): boolean {
  if (Array.isArray(body)) return body.length === 0;
  return body === null || body === '' || (isJsonObject(body) && Object.keys(body).length === 0);
}

/** A list that is, or seems to be, endless. */
export function endlessPages(reason: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the pages have no end: ${reason}`, {
    itemIndex,
    description: 'Check the option "Pagination": the parameter that changes between pages, and the end condition',
  });
}
