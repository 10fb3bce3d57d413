import { type ExecuteContext, type HttpRequest, userKeyed } from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  numberParameter,
  textParameter,
  unsupported,
  wrongParameter,
} from '../../shared/parameters.ts';
import { methods } from './http-request-properties.ts';
import { requestBody } from './request-body.ts';
import { plainText, readPairs } from './request-parts.ts';
import { requestUrl } from './request-url.ts';

const accepted = 'application/json, text/*;q=0.9, */*;q=0.8';
const defaultTimeoutMs = 300_000;

/** The request that the parameters ask for, but for its credential. Throws `NodeOperationError`s that name the parameter, and for what we cannot do yet. */
export function buildRequest(context: ExecuteContext, itemIndex: number): HttpRequest {
  refuseUnsupported(context, itemIndex);
  const body = requestBody(context, itemIndex);
  const headers: [string, string][] = [['accept', accepted]];
  if (body) headers.push(['content-type', body.contentType]);
  return {
    method: choiceParameter(context, 'method', itemIndex, methods, 'GET'),
    url: requestUrl(context, itemIndex),
    headers: userKeyed([...headers, ...ownHeaders(context, itemIndex)]),
    ...(body && { body: body.body }),
    timeoutMs: timeoutMs(context, itemIndex),
    maxRedirects: maxRedirects(context, itemIndex),
  };
}

/** Names in lower case, so that they replace ours rather than stand beside them. */
function ownHeaders(context: ExecuteContext, itemIndex: number): [string, string][] {
  if (!booleanParameter(context, 'sendHeaders', itemIndex, false)) return [];
  const pairs = readPairs(context, itemIndex, { specify: 'specifyHeaders', pairs: 'headerParameters', json: 'jsonHeaders' });
  return pairs.map(([name, value]) => [name.trim().toLowerCase(), plainText(value).trim()]);
}

function timeoutMs(context: ExecuteContext, itemIndex: number): number {
  const value = numberParameter(context, 'options.timeout', itemIndex, defaultTimeoutMs);
  if (value > 0) return value;
  throw wrongParameter('options.timeout', 'a number of milliseconds above 0', value, itemIndex);
}

/** Up to version 3 redirects are followed on demand only. */
function maxRedirects(context: ExecuteContext, itemIndex: number): number {
  const path = 'options.redirect.redirect';
  if (!booleanParameter(context, `${path}.followRedirects`, itemIndex, context.typeVersion >= 4)) return 0;
  return numberParameter(context, `${path}.maxRedirects`, itemIndex, 21);
}

function refuseUnsupported(context: ExecuteContext, itemIndex: number): void {
  if (textParameter(context, 'options.pagination.pagination.paginationMode', itemIndex, 'off') !== 'off') {
    throw unsupported('pagination', 'Loop over the pages with nodes of your own', itemIndex);
  }
  if (textParameter(context, 'options.proxy', itemIndex) !== '') {
    throw unsupported('a proxy of the node’s own', 'Remove the option "Proxy"', itemIndex);
  }
  const insecure = booleanParameter(context, 'options.allowUnauthorizedCerts', itemIndex, false);
  if (insecure || booleanParameter(context, 'provideSslCertificates', itemIndex, false)) {
    throw unsupported('TLS with certificates of your own', 'Call a server whose certificate is publicly trusted', itemIndex);
  }
}
