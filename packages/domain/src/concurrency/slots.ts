import { RecentUsers } from './recent-users.ts';

interface Holder {
  owner: string;
  group: string;
}

interface Waiting extends Holder {
  enter(): void;
}

/**
 * Admits a limited number of holders at once. An owner holds at most all slots but one, so that the
 * tasks of others always proceed; a group does, too, while several groups use the slots. The least
 * recently served group is next, and in it the least recently served owner, whose tasks keep their
 * order.
 */
export class Slots {
  readonly #count: number;
  readonly #slotsByOwner = new Counts();
  readonly #slotsByGroup = new Counts();
  readonly #recent = new RecentUsers();
  readonly #groups = new LastTurns();
  readonly #owners = new LastTurns();
  #waiting: Waiting[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /**
   * Resolves to a function that releases the slot. Rejects with the signal's reason when it fires
   * before a slot is free. `group`: owners that take one turn together, such as the workflows of a
   * project. Default: the owner alone.
   */
  async take(owner: string, signal: AbortSignal, group = owner): Promise<() => void> {
    signal.throwIfAborted();
    const holder = { owner, group };
    this.#owners.join(owner);
    this.#groups.join(group);
    this.#recent.note(group);
    if (this.#mayEnter(holder)) this.#enter(holder);
    else await this.#wait(holder, signal);
    return () => this.#release(holder);
  }

  #mayEnter({ owner, group }: Holder): boolean {
    const most = Math.max(1, this.#count - 1);
    const groupMayEnter = !this.#recent.areSeveral || this.#slotsByGroup.of(group) < most;
    return this.#slotsByOwner.total < this.#count && this.#slotsByOwner.of(owner) < most && groupMayEnter;
  }

  #enter({ owner, group }: Holder): void {
    this.#slotsByOwner.add(owner, 1);
    this.#slotsByGroup.add(group, 1);
    this.#owners.serve(owner);
    this.#groups.serve(group);
  }

  async #wait(holder: Holder, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { ...holder, enter: turn.resolve };
    const abandon = () => {
      // Absent if the slot was already assigned.
      if (!this.#waiting.includes(waiting)) return;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      this.#leave(holder);
      turn.reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', abandon, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  #release(holder: Holder): void {
    this.#slotsByOwner.add(holder.owner, -1);
    this.#slotsByGroup.add(holder.group, -1);
    for (let next = this.#next(); next; next = this.#next()) this.#admit(next);
    this.#leave(holder);
  }

  #admit(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    this.#enter(waiting);
    waiting.enter();
  }

  #leave({ owner, group }: Holder): void {
    this.#owners.leave(owner);
    this.#groups.leave(group);
  }

  #next(): Waiting | undefined {
    let first: Waiting | undefined;
    for (const waiting of this.#waiting)
      if (this.#mayEnter(waiting) && (!first || this.#isBefore(waiting, first))) first = waiting;
    return first;
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    const groups = this.#groups.of(one.group) - this.#groups.of(other.group);
    return groups < 0 || (groups === 0 && this.#owners.of(one.owner) < this.#owners.of(other.owner));
  }
}

/** Number of held slots per key, and of all. */
class Counts {
  readonly #counts = new Map<string, number>();
  total = 0;

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, by: 1 | -1): void {
    const count = this.of(key) + by;
    this.total += by;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** When each key was served last, while it holds or waits for a slot. */
class LastTurns {
  readonly #entries = new Map<string, { count: number; servedAt: number }>();
  #turn = 0;

  /** Before all others if it was not served yet. */
  of(key: string): number {
    return this.#entries.get(key)?.servedAt ?? -1;
  }

  join(key: string): void {
    const { count = 0, servedAt = -1 } = this.#entries.get(key) ?? {};
    this.#entries.set(key, { count: count + 1, servedAt });
  }

  serve(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) entry.servedAt = this.#turn++;
  }

  leave(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.count -= 1;
    if (entry.count === 0) this.#entries.delete(key);
  }
}
