/** Milliseconds for which a user counts after its last use. */
const rememberMs = 3_600_000;

/**
 * Users of a shared resource in the last hour. A single user may have all of it. Each of several
 * users leaves a part to the others, even while they do not use it.
 */
export class RecentUsers {
  readonly #now: () => number;
  /** User → time of its last use, the oldest first. */
  readonly #uses = new Map<string, number>();

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get areSeveral(): boolean {
    return this.#uses.size > 1;
  }

  note(user: string): void {
    const now = this.#now();
    this.#uses.delete(user);
    this.#uses.set(user, now);
    for (const [id, usedAt] of this.#uses) {
      if (now - usedAt < rememberMs) return;
      this.#uses.delete(id);
    }
  }
}
