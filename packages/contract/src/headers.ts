import { Type } from './schema-builder.ts';

/** Headers of requests and responses, for the API document; each handler reads its own. */
export const preferHeader = Type.String({
  description: '`wait=<seconds>` (at most 600) or `respond-async` (RFC 7240); anything else is ignored',
});

export const idempotencyKeyHeader = Type.String({
  pattern: '^[\\x20-\\x7e]{1,255}$',
  description: 'the same key within 24 h, from the same user on the same path, returns the first execution',
});

export const ifMatchHeader = Type.String({
  description: 'the `ETag` that was read; if the resource has changed since, the response is 409 `VERSION_CONFLICT`',
});

export const lastEventIdHeader = Type.String({
  description: 'the `id` of the last received event: the stream continues after it',
});

export const etagHeader = Type.String({ description: 'identifies this state of the resource, for `If-Match`' });

export const fileRequestHeaders = {
  Range: Type.String({
    description: 'one range of bytes, such as `bytes=0-1023`: the response is 206; several ranges are not supported',
  }),
  'If-Range': Type.String({ description: 'the `ETag` of the file that the range belongs to' }),
  'If-None-Match': Type.String({ description: 'the `ETag` of the client’s copy: the response is 304 if it is still current' }),
};

/** For a successful response. */
export const fileReplyHeaders = {
  ETag: Type.String({ description: 'identifies these bytes; they never change' }),
};
