import { AppError, UnavailableError } from '@sluice/domain';

interface StreamLimits {
  /** Maximum of open streams per process. */
  max: number;
  /** Maximum of open streams per key. */
  maxPerKey: number;
  /** Subject of the error for one stream too many. Default: `the API key`. */
  owner?: string;
}

/** Limits open streams per process and per key. */
export class StreamSlots {
  readonly #limits: StreamLimits;
  readonly #byKey = new Map<string, number>();
  #open = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Takes a slot until `signal` aborts. Throws `RATE_LIMITED`, or `UnavailableError` if the process has none left. */
  take(keyId: string, signal: AbortSignal): void {
    const { max, maxPerKey, owner = 'the API key' } = this.#limits;
    const ofKey = this.#byKey.get(keyId) ?? 0;
    if (ofKey >= maxPerKey) {
      throw new AppError({ code: 'RATE_LIMITED', message: `${owner} has ${maxPerKey} event streams open already` });
    }
    if (this.#open >= max) throw new UnavailableError('too many event streams are open');
    if (signal.aborted) return;
    this.#open += 1;
    this.#byKey.set(keyId, ofKey + 1);
    signal.addEventListener('abort', () => this.#release(keyId), { once: true });
  }

  #release(keyId: string): void {
    this.#open -= 1;
    const left = (this.#byKey.get(keyId) ?? 1) - 1;
    if (left > 0) this.#byKey.set(keyId, left);
    else this.#byKey.delete(keyId);
  }
}
