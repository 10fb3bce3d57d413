import type { Bucket, Count, Counters } from './counters.ts';

/** The part of a Redis client that is used here. */
export interface ScriptHost {
  defineCommand(name: string, definition: { lua: string }): void;
}

/** Takes the number of keys, the keys, the length of the window, and the maximum of each key. */
interface Counting {
  countRequest(keyCount: number, ...rest: (string | number)[]): Promise<number[]>;
}

// A key without an expiry would never be reset, so every hit sets one if it is missing.
const lua = `
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

/** Counters that all replicas share. One round trip, whatever the number of buckets. */
export class RedisCounters implements Counters {
  readonly #redis: ScriptHost & Counting;
  readonly #prefix: string;
  readonly #windowMs: number;

  constructor(redis: ScriptHost, { prefix, windowMs }: { prefix: string; windowMs: number }) {
    redis.defineCommand('countRequest', { lua });
    this.#redis = redis as ScriptHost & Counting;
    this.#prefix = prefix;
    this.#windowMs = windowMs;
  }

  async count(buckets: readonly Bucket[]): Promise<Count[]> {
    const keys = buckets.map(({ key }) => `${this.#prefix}:${key}`);
    const replies = await this.#redis.countRequest(keys.length, ...keys, this.#windowMs, ...buckets.map(({ max }) => max));
    return Array.from({ length: replies.length / 2 }, (_, i) => ({
      totalHits: replies[2 * i] as number,
      resetTime: new Date(Date.now() + (replies[2 * i + 1] as number)),
    }));
  }
}
