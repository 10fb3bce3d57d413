import { jsonLength, NodeOperationError } from '@sluice/node-sdk';

/** Maximum number of characters that the API can write in about 30 ms. */
const maxPageLength = 300_000;

/**
 * A page that visitors may open. Throws if it is too long: the API escapes and writes a page at
 * once, for each visitor.
 */
export function checkedPage<T extends object>(page: T): T {
  if (jsonLength(page, maxPageLength) <= maxPageLength) return page;
  throw new NodeOperationError(`a page may have ${maxPageLength} characters at most`, {
    description: 'Shorten its text',
  });
}
