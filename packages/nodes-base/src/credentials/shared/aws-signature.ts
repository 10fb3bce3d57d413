import { type HttpRequest, signedBody, withHeaders } from '@sluice/node-sdk';
import aws4 from 'aws4';
import { stringOf } from '../../shared/coerced-text.ts';

interface AwsSigner {
  /** Absent: derived from the AWS host name. */
  service?: string;
  region?: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Session token of temporary credentials; empty: no token. */
  sessionToken: string;
  nowMs: number;
}

/** Header for the body hash, and its value for a body that S3 receives as a stream. */
export const contentHash = 'x-amz-content-sha256';
export const unsignedPayload = 'UNSIGNED-PAYLOAD';

/**
 * Signs a request with AWS Signature Version 4: host, content type, all `x-amz-` headers, the
 * query, and the body.
 */
export function signedForAws(request: HttpRequest, signer: AwsSigner): HttpRequest {
  const { service, region, accessKeyId, secretAccessKey, sessionToken, nowMs } = signer;
  const url = new URL(request.url);
  const isUnsigned = request.headers?.[contentHash] === unsignedPayload;
  const bytes = isUnsigned ? undefined : signedBody(request);
  const body = typeof bytes === 'object' ? Buffer.from(bytes) : bytes;
  const signed = aws4.sign(
    {
      method: request.method,
      host: url.host,
      path: url.pathname + url.search,
      ...(service !== undefined && { service }),
      ...(region !== undefined && { region }),
      headers: {
        ...signedHeaders(request),
        'X-Amz-Date': amzDate(nowMs),
        ...(isUnsigned && { 'X-Amz-Content-Sha256': unsignedPayload }),
      },
      ...(body !== undefined && { body }),
    },
    { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) },
  );
  return withHeaders(
    request,
    Object.entries(signed.headers ?? {}).map(([name, value]) => [name, stringOf(value)]),
  );
}

/** Headers to sign. Proxies or the HTTP client may change the others. */
function signedHeaders({ headers = {} }: HttpRequest): Record<string, string> {
  const entries = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), [value].flat().join(',')])
    .filter(([name]) => name === 'content-type' || (name.startsWith('x-amz-') && !replaced.has(name)));
  return Object.fromEntries(entries);
}

const replaced = new Set(['x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token']);

function amzDate(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
}
