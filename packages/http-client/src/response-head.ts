import { isUtf8 } from 'node:buffer';
import { userKeyed } from '@sluice/domain';
import type { HttpResponse } from '@sluice/node-sdk';
import type { Dispatcher } from 'undici';
import type { Hop } from './redirect.ts';

/** A response without its body. */
export function headOf({ url }: Hop, { statusCode, statusText, headers }: Dispatcher.ResponseData): Omit<HttpResponse, 'body'> {
  return { status: statusCode, statusText, headers: responseHeaders(headers), url: url.href };
}

/** The encodings to decode; empty if there is no body. */
export function encodingOf({ method }: Hop, { statusCode, headers }: Dispatcher.ResponseData): string {
  const bodyless = method === 'HEAD' || statusCode === 204 || statusCode === 304 || headers['content-length'] === '0';
  return bodyless ? '' : joined(headers['content-encoding']);
}

function responseHeaders(headers: Dispatcher.ResponseData['headers']): HttpResponse['headers'] {
  return userKeyed(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'set-cookie' ? [value ?? []].flat().map(headerText) : joined(value),
    ]),
  );
}

function joined(value: string | string[] | undefined): string {
  return [value ?? []].flat().map(headerText).join(', ');
}

/**
 * A header's text, which undici decodes as Latin-1, although servers that send other characters
 * mean UTF-8.
 */
export function headerText(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : latin1;
}
