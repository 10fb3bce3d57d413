import { createHash } from 'node:crypto';
import type { Bucket, Count, Counters } from './counters.ts';

/** The part of a Redis client that is used here. */
export interface ScriptRunner {
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
}

// A key without an expiry would never be reset, so every hit sets one if it is missing.
const script = `
local counts = {}
for i, key in ipairs(KEYS) do
  local hits = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left <= 0 then
    redis.call('PEXPIRE', key, ARGV[1])
    left = tonumber(ARGV[1])
  end
  counts[2 * i - 1] = hits
  counts[2 * i] = left
  if hits > tonumber(ARGV[i + 1]) then break end
end
return counts`;
const sha = createHash('sha1').update(script).digest('hex');

/** Counters that all replicas share. One round trip, whatever the number of buckets. */
export class RedisCounters implements Counters {
  readonly #redis: ScriptRunner;
  readonly #prefix: string;
  readonly #windowMs: number;

  constructor(redis: ScriptRunner, { prefix, windowMs }: { prefix: string; windowMs: number }) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#windowMs = windowMs;
  }

  async count(buckets: readonly Bucket[]): Promise<Count[]> {
    const rest = [...buckets.map(({ key }) => `${this.#prefix}:${key}`), this.#windowMs, ...buckets.map(({ max }) => max)];
    const answer = (await this.#run(buckets.length, rest)) as number[];
    return Array.from({ length: answer.length / 2 }, (_, i) => ({
      hits: answer[2 * i] as number,
      resetMs: answer[2 * i + 1] as number,
    }));
  }

  async #run(keyCount: number, rest: (string | number)[]): Promise<unknown> {
    try {
      return await this.#redis.call('EVALSHA', sha, keyCount, ...rest);
    } catch (error) {
      if (!String(error).includes('NOSCRIPT')) throw error;
      return this.#redis.call('EVAL', script, keyCount, ...rest);
    }
  }
}
