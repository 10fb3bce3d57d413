import { AppError, UnavailableError } from '@sluice/domain';

interface StreamLimits {
  /** Maximum number of open streams per process. */
  max: number;
  /** Maximum number of open streams per key. */
  maxPerKey: number;
  /** Subject of the error for one stream too many. Default: `the API key`. */
  owner?: string;
}

/** The owner of a stream. */
interface StreamOwner {
  key: string;
  /** Has any number of keys: a user, or a project. */
  tenant: string;
}

/**
 * Limits open streams per process and per key. A tenant takes a slot only while it holds fewer
 * slots than are free, so that slots remain for others, regardless of its number of keys.
 */
export class StreamSlots {
  readonly #limits: StreamLimits;
  readonly #byKey = new Map<string, number>();
  readonly #byTenant = new Map<string, number>();
  #open = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Takes a slot until `signal` aborts. Throws `RATE_LIMITED` and `UnavailableError`. */
  take({ key, tenant }: StreamOwner, signal: AbortSignal): void {
    const { max, maxPerKey, owner = 'the API key' } = this.#limits;
    if ((this.#byKey.get(key) ?? 0) >= maxPerKey) throw tooMany(`${owner} has ${maxPerKey} event streams open already`);
    const free = max - this.#open;
    if (free <= 0) throw new UnavailableError('too many event streams are open');
    const openCount = this.#byTenant.get(tenant) ?? 0;
    if (openCount >= free) throw tooMany(`${owner} has no slot left: ${openCount} event streams of its owner are open already`);
    if (signal.aborted) return;
    add(this.#byKey, key, 1);
    add(this.#byTenant, tenant, 1);
    this.#open += 1;
    signal.addEventListener('abort', () => this.#release({ key, tenant }), { once: true });
  }

  #release({ key, tenant }: StreamOwner): void {
    add(this.#byKey, key, -1);
    add(this.#byTenant, tenant, -1);
    this.#open -= 1;
  }
}

function tooMany(message: string): AppError {
  return new AppError({ code: 'RATE_LIMITED', message });
}

function add(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
