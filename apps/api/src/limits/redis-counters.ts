import { GroupCommit } from '@sluice/domain';
import { translateRedisError } from '@sluice/queue';
import type { Bucket, Count, Counters } from './counters.ts';

/** The part of a Redis client that is used here. */
export interface ScriptHost {
  defineCommand(name: string, definition: { lua: string }): void;
}

/** Arguments: number of keys, keys, window length, and the request and maximum of each key. */
interface Counting {
  countRequests(keyCount: number, ...rest: (string | number)[]): Promise<(number | null)[]>;
}

// A key without an expiry would never be reset, so the first hit in each call sets one if it is
// missing.
const lua = `
local replies, lefts, full = {}, {}, nil
for i, key in ipairs(KEYS) do
  local request = ARGV[2 * i]
  if request == full then
    replies[2 * i - 1] = false
    replies[2 * i] = false
  else
    local hits = redis.call('INCR', key)
    local left = lefts[key] or redis.call('PTTL', key)
    if left <= 0 then
      redis.call('PEXPIRE', key, ARGV[1])
      left = tonumber(ARGV[1])
    end
    lefts[key] = left
    replies[2 * i - 1] = hits
    replies[2 * i] = left
    if hits > tonumber(ARGV[2 * i + 1]) then full = request end
  end
end
return replies`;

/**
 * Counters that all replicas share. One round trip, regardless of the number of buckets; requests
 * that arrive while it is in flight share the next one.
 */
export class RedisCounters implements Counters {
  readonly #redis: ScriptHost & Counting;
  readonly #prefix: string;
  readonly #windowMs: number;
  readonly #requests: GroupCommit<readonly Bucket[], Count[]>;

  constructor(redis: ScriptHost, { prefix, windowMs }: { prefix: string; windowMs: number }) {
    redis.defineCommand('countRequests', { lua });
    this.#redis = redis as ScriptHost & Counting;
    this.#prefix = prefix;
    this.#windowMs = windowMs;
    this.#requests = new GroupCommit((requests) => this.#count(requests));
  }

  count(buckets: readonly Bucket[]): Promise<Count[]> {
    return this.#requests.add(buckets);
  }

  async #count(requests: readonly (readonly Bucket[])[]): Promise<Count[][]> {
    const keys = requests.flatMap((buckets) => buckets.map(({ key }) => `${this.#prefix}:${key}`));
    const rest = requests.flatMap((buckets, request) => buckets.flatMap(({ max }) => [request, max]));
    const replies = await this.#send(keys, [this.#windowMs, ...rest]);
    const now = Date.now();
    let at = 0;
    return requests.map((buckets) =>
      buckets.flatMap(() => {
        const [totalHits, ttlMs] = [replies[at] ?? null, replies[at + 1] ?? null];
        at += 2;
        return totalHits === null || ttlMs === null ? [] : { totalHits, resetTime: new Date(now + ttlMs) };
      }),
    );
  }

  /** Throws `UnavailableError` while Redis is unreachable: such a group is not retried. */
  async #send(keys: readonly string[], rest: readonly number[]): Promise<(number | null)[]> {
    try {
      return await this.#redis.countRequests(keys.length, ...keys, ...rest);
    } catch (error) {
      throw translateRedisError(error);
    }
  }
}
