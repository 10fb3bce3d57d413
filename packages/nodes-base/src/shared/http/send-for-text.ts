import type { ExecuteContext, HttpRequest } from '@sluice/node-sdk';
import { apiError } from './api-error.ts';
import { decodeText, maxTextBytes } from './body-text.ts';
import { itemError } from './item-error.ts';

/** Maximum number of characters in an error body in the details. */
const shownBody = 2_048;

/**
 * Sends a request and resolves to the response text. A status other than 2xx is a `NodeApiError`;
 * all errors have the item's index.
 */
export async function sendForText(
  context: Pick<ExecuteContext, 'http' | 'signal'>,
  request: HttpRequest,
  itemIndex: number,
): Promise<string> {
  try {
    const response = await context.http.request({ maxResponseBytes: maxTextBytes, ...request }, context.signal);
    const text = decodeText(response.body, response.headers);
    const { status, statusText } = response;
    if (status >= 200 && status < 300) return text;
    throw apiError({ status, statusText, text: text.slice(0, shownBody), truncated: text.length > shownBody }, itemIndex);
  } catch (error) {
    context.signal.throwIfAborted();
    throw itemError(error, itemIndex);
  }
}
