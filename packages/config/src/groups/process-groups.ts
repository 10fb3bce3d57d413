import { resolve } from 'node:path';
import type { Values } from '../values.ts';

/** Connections and lifetime of the processes; metrics, traces, and the log. */
export function processGroups(values: Values) {
  return {
    /** Absolute path of `SLUICE_HOME`. */
    home: resolve(values.SLUICE_HOME),
    logLevel: values.LOG_LEVEL,
    /** URL `null`: `sluice up` starts a Postgres. See `requireServices`. */
    database: {
      url: values.DATABASE_URL,
      poolSize: values.DATABASE_POOL_SIZE,
      /** URL of a replica, if any. */
      readUrl: values.DATABASE_READ_URL,
      /** Maximum age of the replica's data for reads. */
      readLagMs: values.DATABASE_READ_LAG_MS,
    },
    /** URL `null`: `sluice up` starts a Redis. See `requireServices`. */
    redis: { url: values.REDIS_URL, ...toPrefixes(values) },
    worker: {
      /** Worker processes of `sluice up`. */
      count: values.WORKERS,
      /** Number of executions that one process runs at once; `auto`: depends on its load. */
      concurrency: values.CONCURRENCY,
      /** 0: any free port. */
      healthPort: values.WORKER_PORT,
      leaseMs: values.LEASE_MS,
    },
    /** For the polls and listeners of one worker. */
    sources: {
      pollsMax: values.POLLS_MAX,
      pollTimeoutMs: values.POLL_TIMEOUT_MS,
      listenersMax: values.LISTENERS_MAX,
    },
    /** Whether processes serve `/metrics`. */
    metrics: values.METRICS === 'on',
    /** TCP port of the API's `/metrics`; 0: any free port. */
    metricsPort: values.METRICS_PORT,
    /** Export of traces; `null`: off. */
    traces: values.TRACES_URL === null ? null : { url: values.TRACES_URL, ratio: values.TRACES_PERCENT / 100 },
    /** For every process. */
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    /** For every process: milliseconds of an unresponsive event loop after which it is killed. */
    stallMs: values.STALL_MS,
  };
}

/**
 * Prefixes of keys. In a cluster, each is a hash tag: each script uses keys with a single prefix,
 * which must be on the same node.
 */
function toPrefixes({ REDIS_URL: url, QUEUE_PREFIX: prefix, QUEUE_SHARDS: count }: Values) {
  const prefixOf = (name: string) => (/^rediss?\+cluster:/.test(url ?? '') ? `{${name}}` : name);
  return {
    queuePrefix: prefixOf(prefix),
    /** Prefix of each shard of the queue; the first one is `queuePrefix`. */
    shards: Array.from({ length: count }, (_, i) => prefixOf(i === 0 ? prefix : `${prefix}.${i}`)),
  };
}
