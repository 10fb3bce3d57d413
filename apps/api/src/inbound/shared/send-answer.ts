import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WebhookAnswer } from '@sluice/domain';
import type { Response } from 'express';
import { completionView } from '../../pages/notice-view.ts';
import { renderPage } from '../../pages/send-page.ts';
import { answerHeaders } from './answer-headers.ts';

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
  setAnswerHead(response, { status, headers });
  switch (body.kind) {
    case 'none':
      response.end();
      return;
    case 'json':
      sendText(response, JSON.stringify(body.json ?? null), 'application/json; charset=utf-8');
      return;
    case 'text':
      sendText(response, body.text, 'text/html; charset=utf-8');
      return;
    case 'page':
      sendText(response, renderPage(completionView(body)), 'text/html; charset=utf-8');
      return;
    case 'file':
      if (file) await sendBytes(response, file);
  }
}

/** Status, and those of the headers that are an answer's to say. */
export function setAnswerHead(response: Response, { status, headers }: Pick<WebhookAnswer, 'status' | 'headers'>): void {
  response.status(status);
  for (const [name, value] of answerHeaders(headers)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', sandboxed);
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
  return statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
}
