import type { ExecuteContext, HttpRequest } from '@sluice/node-sdk';
import { apiError } from './api-error.ts';
import { decodeText, maxTextBytes } from './body-text.ts';
import { itemError } from './item-error.ts';

/** Characters of an error's body that its details show. */
const shownBody = 2_048;

/** Makes a request whose answer is text, and gives that. What is not 2xx is a `NodeApiError`; all errors name the item. */
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
