import { type HttpRequest, signedBody, withHeaders } from '@sluice/node-sdk';
import aws4 from 'aws4';

export interface AwsSigner {
  /** Absent: what the address, one of AWS' own, says. */
  service?: string;
  region?: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary credentials; empty: none. */
  sessionToken: string;
  nowMs: number;
}

/** Header of the body's hash, and what S3 takes in its place for a body that is read while it is sent. */
export const contentHash = 'x-amz-content-sha256';
export const unsignedPayload = 'UNSIGNED-PAYLOAD';

/** The request signed with AWS Signature Version 4: host, content type, every `x-amz-` header, the query and the body. */
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
    Object.entries(signed.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
}

/** Others may be changed on the way, or by the client of ours. */
function signedHeaders({ headers = {} }: HttpRequest): Record<string, string> {
  const kept = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), [value].flat().join(',')])
    .filter(([name]) => name === 'content-type' || (name.startsWith('x-amz-') && !replaced.has(name)));
  return Object.fromEntries(kept);
}

const replaced = new Set(['x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token']);

function amzDate(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
}
