import type { Values } from '../values.ts';

/** The API: its address, the edition, waits, event streams, and rate limits. */
export function apiGroups(values: Values) {
  return {
    /** `community` has no key scopes, no sharing, and no resolvable credentials. */
    license: values.LICENSE,
    http: {
      host: values.HOST,
      /** 0: any free port. */
      port: values.PORT,
      publicUrl: toPublicUrl(values),
      /** Name of the API key header as configured; compare it ignoring case. */
      keyHeader: values.API_KEY_HEADER,
      /** Number of trusted reverse proxies: Express's `trust proxy`. */
      trustProxyHops: values.TRUST_PROXY,
      bodyLimitBytes: values.BODY_LIMIT_BYTES,
      jsonMaxDepth: values.JSON_MAX_DEPTH,
      runWaitMs: values.RUN_WAIT_MS,
      webhookWaitMs: values.WEBHOOK_WAIT_MS,
      rateLimit: toRateLimit(values),
    },
    /** Limits of one API process. */
    eventStreams: { max: values.EVENT_STREAMS_MAX, maxPerKey: values.EVENT_STREAMS_KEY_MAX },
  };
}

/** URL of the API for browsers, without a final `/`; null: the port is chosen at startup. */
export function toPublicUrl({ PUBLIC_URL: publicUrl, HOST: host, PORT: port }: Values): string | null {
  if (publicUrl !== null) return publicUrl.replace(/(?<!\/)\/+$/, '');
  if (port === 0) return null;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Maximum number of requests per window. */
function toRateLimit(values: Values) {
  const { RATE_LIMIT_MAX: addressMax, RATE_LIMIT_KEY_MAX: sameForAll } = values;
  const each = <Name extends string>(table: Readonly<Record<Name, number>>, limitOf: (multiple: number) => number) =>
    Object.fromEntries(Object.entries<number>(table).map(([name, multiple]) => [name, limitOf(multiple)])) as Record<
      Name,
      number
    >;
  const multiplied = (multiple: number) => Math.max(1, Math.round(multiple * addressMax));
  return {
    windowMs: values.RATE_LIMIT_WINDOW_MS,
    addressMax,
    keyMax: each(values.RATE_LIMIT_KEY_TABLE, sameForAll > 0 ? () => sameForAll : multiplied),
    missMax: values.RATE_LIMIT_MISS_MAX,
    /** Requests without an API key. */
    anonymousMax: each(values.RATE_LIMIT_ANONYMOUS_TABLE, multiplied),
  };
}
