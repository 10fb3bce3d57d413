import { Type } from './schema-builder.ts';

/** Headers of requests and replies, for the document of the API; each handler reads its own. */
export const preferHeader = Type.String({
  description: '`wait=<seconds>` (at most 600) or `respond-async` (RFC 7240); anything else is ignored',
});

export const idempotencyKeyHeader = Type.String({
  pattern: '^[\\x20-\\x7e]{1,255}$',
  description: 'the same key within 24 h, from the same user on the same path, answers with the first execution',
});

export const ifMatchHeader = Type.String({
  description: 'the `ETag` that was read; if the resource has changed since, the answer is 409 `VERSION_CONFLICT`',
});

export const lastEventIdHeader = Type.String({
  description: 'the `id` of the last event that has arrived: the stream goes on after it',
});

export const etagHeader = Type.String({ description: 'names this state of the resource, for `If-Match`' });

/** Of a request for the bytes of a file. */
export const fileRequestHeaders = {
  Range: Type.String({
    description: 'one range of bytes, such as `bytes=0-1023`: the answer is 206; several ranges are not given',
  }),
  'If-Range': Type.String({ description: 'the `ETag` of the file that the range is of' }),
  'If-None-Match': Type.String({ description: 'the `ETag` of what the client has: the answer is 304 if it still holds' }),
};

/** Of its success. */
export const fileReplyHeaders = {
  ETag: Type.String({ description: 'names these bytes; they never change' }),
};
