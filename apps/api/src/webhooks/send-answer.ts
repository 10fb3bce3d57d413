import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WebhookAnswer } from '@sluice/domain';
import type { Response } from 'express';

/** Headers that the server itself decides: of the connection, of the length, and those that guard this origin. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'content-security-policy-report-only',
  'clear-site-data',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'service-worker-allowed',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

/** What workflows answer is shown like a stranger's page: its scripts have no origin, so nothing of this one is theirs. */
const sandboxed = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts';

/** A file that an answer may be. */
export interface AnswerFile {
  mimeType: string;
  /** Bytes. */
  size: number;
  open(): Promise<Readable>;
}

/** `file`: that of the answer, where it is one. */
export async function sendAnswer(
  response: Response,
  { status, headers, body }: WebhookAnswer,
  file?: AnswerFile,
): Promise<void> {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) if (!ownHeaders.has(name.toLowerCase())) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', sandboxed);
  switch (body.kind) {
    case 'none':
      response.end();
      return;
    case 'json':
      sendText(response, JSON.stringify(body.json), 'application/json; charset=utf-8');
      return;
    case 'text':
      sendText(response, body.text, 'text/html; charset=utf-8');
      return;
    case 'file':
      if (file) await sendBytes(response, file);
  }
}

function sendText(response: Response, text: string, type: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', type);
  const bytes = Buffer.from(text);
  if (mayHaveBody(response)) response.setHeader('Content-Length', bytes.length);
  else response.removeHeader('Content-Type');
  response.end(mayHaveBody(response) && response.req.method !== 'HEAD' ? bytes : undefined);
}

async function sendBytes(response: Response, { mimeType, size, open }: AnswerFile): Promise<void> {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', mimeType);
  if (mayHaveBody(response)) response.setHeader('Content-Length', size);
  if (!mayHaveBody(response) || response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(await open(), response);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

function mayHaveBody({ statusCode }: Response): boolean {
  return statusCode !== 204 && statusCode !== 304;
}
