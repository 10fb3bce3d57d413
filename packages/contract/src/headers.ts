import { Type } from './schema-builder.ts';

/** Headers of requests and responses, for the API document; each handler reads its own. */
export const preferHeader = Type.String({
  description: '`wait=<seconds>` (at most 600) or `respond-async` (RFC 7240); anything else is ignored',
  examples: ['wait=30'],
});

export const idempotencyKeyHeader = Type.String({
  pattern: '^[\\x20-\\x7e]{1,255}$',
  description: 'the same key within 24 h, from the same user on the same path, returns the first execution',
  examples: ['invoice-4711'],
});

export const ifMatchHeader = Type.String({
  description: 'the `ETag` that was read; if the resource has changed since, the response is 409 `VERSION_CONFLICT`',
  examples: ['"vM0Z5qUe1nGd7RsT"'],
});

export const lastEventIdHeader = Type.String({
  description: 'the `id` of the last received event: the stream continues after it',
  examples: ['3-running'],
});

export const etagHeader = Type.String({
  description: 'identifies this state of the resource, for `If-Match`',
  examples: ['"vM0Z5qUe1nGd7RsT"'],
});

const fileTag = '"5f0d3c9a7be1482690d4f3b17ac85e2d6b90f4c81e37a52d"';

export const fileRequestHeaders = {
  Range: Type.String({
    description: 'one range of bytes, such as `bytes=0-1023`: the response is 206; several ranges are not supported',
    examples: ['bytes=0-1023'],
  }),
  'If-Range': Type.String({ description: 'the `ETag` of the file that the range belongs to', examples: [fileTag] }),
  'If-None-Match': Type.String({
    description: 'the `ETag` of the client’s copy: the response is 304 if it is still current',
    examples: [fileTag],
  }),
};

/** For a successful response. */
export const fileReplyHeaders = {
  ETag: Type.String({ description: 'identifies these bytes; they never change', examples: [fileTag] }),
};
