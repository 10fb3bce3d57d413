import type { RequestHandler } from 'express';
import { buildDocument, type DocumentOptions } from './build-document.ts';

/** Answers with the document. It is built at the first request and kept as bytes: most processes never need it. */
export function serveDocument(options: DocumentOptions): RequestHandler {
  let bytes: Buffer | undefined;
  return (_request, response) => {
    bytes ??= Buffer.from(JSON.stringify(buildDocument(options)));
    response.type('json').send(bytes);
  };
}
