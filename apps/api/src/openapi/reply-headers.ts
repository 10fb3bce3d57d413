import type { HeaderObject, Reference } from './document.ts';

/** Headers that many replies carry; components of the document. */
export const replyHeaders = {
  'X-Request-Id': {
    description: 'names the request in the logs; the `requestId` of an error. One that the request brought is kept',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'the limits that count here, by address and by key: `"ip";q=<requests>;w=<seconds>`',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'what is left of them: `"ip";r=<requests>;t=<seconds until they begin anew>`',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'seconds to wait before the next try', schema: { type: 'string', pattern: '^\\d+$' } },
} as const satisfies Record<string, HeaderObject>;

export function headerReference(name: keyof typeof replyHeaders): Record<string, Reference> {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}

/** Of every answer below `/api/v1`. */
export function commonHeaders(): Record<string, Reference> {
  return { ...headerReference('X-Request-Id'), ...headerReference('RateLimit-Policy'), ...headerReference('RateLimit') };
}
