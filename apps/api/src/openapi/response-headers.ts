import type { HeaderObject, Reference } from './document.ts';

/** Headers that many responses carry; components of the document. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'identifies the request in the logs and in errors (`requestId`); an ID in the request is kept',
    schema: { type: 'string' },
    example: '1c3b1f5e-6a64-4f0e-9a39-0c6a2d0f6f7e',
  },
  'RateLimit-Policy': {
    description: 'the limits that apply, by address and by key: `"ip";q=<requests>;w=<seconds>`',
    schema: { type: 'string' },
    example: '"ip";q=1000;w=300, "key-read";q=5000;w=300',
  },
  RateLimit: {
    description: 'remaining quota: `"ip";r=<requests>;t=<seconds until the reset>`',
    schema: { type: 'string' },
    example: '"ip";r=997;t=212, "key-read";r=4997;t=212',
  },
  'Retry-After': {
    description: 'seconds to wait before the next try',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '2',
  },
  'WWW-Authenticate': {
    description: 'the scheme and the header of the key',
    schema: { type: 'string' },
    example: 'ApiKey header="X-SERVICE-API-KEY"',
  },
} as const satisfies Record<string, HeaderObject>;

export function headerReference(name: keyof typeof responseHeaders): Record<string, Reference> {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}

/** Headers of every response below `/api/v1`. */
export function commonHeaders(): Record<string, Reference> {
  return { ...headerReference('X-Request-Id'), ...headerReference('RateLimit-Policy'), ...headerReference('RateLimit') };
}
