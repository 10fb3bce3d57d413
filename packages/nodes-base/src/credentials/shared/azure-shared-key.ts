import { createHmac } from 'node:crypto';
import type { HttpRequest } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';

/**
 * Headers that the signature covers in this order; `content-length` is computed, others may be
 * empty.
 */
const placed = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
];

/** Value of the `Authorization` header for Azure Shared Key: blobs, queues, and files. */
export function sharedKeyAuthorization(request: HttpRequest, account: string, key: string): string {
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(stringToSign(request, account)).digest('base64');
  return `SharedKey ${account}:${signature}`;
}

/** The string to sign, for service versions since 2015-02-21. */
export function stringToSign(request: HttpRequest, account: string): string {
  const headers = new Map(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), [value].flat().join(',').trim()]),
  );
  const length = bodyLength(request);
  headers.set('content-length', length ? stringOf(length) : '');
  if (headers.has('x-ms-date')) headers.delete('date');
  const own = [...headers].filter(([name]) => name.startsWith('x-ms-')).sort(byName);
  return [
    request.method.toUpperCase(),
    ...placed.map((name) => headers.get(name) ?? ''),
    ...own.map(([name, value]) => `${name}:${value.replace(/\s+/g, ' ')}`),
    canonicalResource(new URL(request.url), account),
  ].join('\n');
}

function bodyLength({ body = '' }: HttpRequest): number | undefined {
  return typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : body.byteLength;
}

function canonicalResource({ pathname, searchParams }: URL, account: string): string {
  const parameters = Map.groupBy(searchParams, ([name]) => name.toLowerCase());
  const lines = [...parameters].sort(byName).map(([name, pairs]) => {
    const values = pairs.map(([, value]) => value).sort();
    return `${name}:${values.join(',')}`;
  });
  return [`/${account}${pathname}`, ...lines].join('\n');
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
