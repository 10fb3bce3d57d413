import { getHeapStatistics } from 'node:v8';
import type { NodeRun } from '../workflow/node-run.ts';
import { MemoryReservation, type ReservationOptions, smallBytes } from './memory-reservation.ts';
import { RecentUsers } from './recent-users.ts';

/**
 * Estimated memory usage of data in bytes, from the length of its JSON. V8 needs about twice that
 * length for short strings and properties, and three small objects per item.
 */
export function dataSize(jsonLength: number, items = 0): number {
  return jsonLength * 2 + items * 200;
}

/** Number of items in all outputs. */
export function itemCount({ data = {} }: Pick<NodeRun, 'data'>): number {
  let count = 0;
  for (const outputs of Object.values(data)) for (const items of outputs) count += items?.length ?? 0;
  return count;
}

export interface MemoryBudgetOptions {
  /** Memory of the process in bytes. */
  limit: number;
  /** Fraction of the limit that is in use. */
  inUse: () => number;
  /** Bytes that the process may still allocate, buffers and threads included. Default: no limit. */
  left?: () => number;
}

/** Fraction of the memory for data; the rest is for processing it and for everything else. */
const dataFraction = 0.4;
/**
 * Fraction of the memory up to which work continues beyond the budget, which is an estimate. The
 * memory in use is checked only occasionally, so that the data of continued work is in memory by
 * the next check.
 */
const maxUse = 0.7;
/** The same for a project beyond its threshold, which leaves the rest to other projects. */
const maxUseBeyondThreshold = 0.55;
const intervalMs = 2_000;
/** Fraction of the container's memory up to which several results are computed at the same time. */
const maxContainerUse = 0.8;

/**
 * The larger fraction in use: of the heap's limit, by the heap and the buffers outside of it, such
 * as response bodies and files; or of the container's limit.
 */
export function memoryInUse(): number {
  const { used_heap_size: used, external_memory: buffers, heap_size_limit: limit } = getHeapStatistics();
  return Math.max((used + buffers) / limit, process.memoryUsage.rss() / containerMemory());
}

/** The container's memory limit in bytes; infinite if there is none. */
export function containerMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && Number.isSafeInteger(limit) ? limit : Number.POSITIVE_INFINITY;
}

/**
 * Memory for the data of concurrent work: the executions of a worker, whose outputs the engine
 * keeps until their end, or the responses of an API process. Beyond the budget, work with much data
 * waits and the oldest continues, so that the work finishes one by one instead of exhausting the
 * memory of the process.
 *
 * While several projects use the budget, each has a dynamic threshold: as much as the project
 * leaves free, or one larger reservation. So responses that stall in some projects leave memory for
 * the others. Projects take turns to compute results.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  /** Oldest first. */
  readonly #reservations = new Set<MemoryReservation>();
  readonly #projects = new RecentUsers();
  /** Projects that waited to compute results, the least recently served first. */
  readonly #turns = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** Memory for this process's data. */
  static ofProcess(): MemoryBudget {
    const container = containerMemory();
    return new MemoryBudget({
      limit: Math.min(getHeapStatistics().heap_size_limit, container),
      inUse: memoryInUse,
      ...(Number.isFinite(container) && { left: () => container * maxContainerUse - process.memoryUsage.rss() }),
    });
  }

  /** Whether work waits for memory. */
  get isExceeded(): boolean {
    return this.#timer !== undefined;
  }

  /** Projects whose work waits for memory. */
  get waitingProjects(): ReadonlySet<string> {
    return new Set(this.#waiting.map(({ projectId }) => projectId));
  }

  /**
   * Opens the reservation of one execution, response, poll, or listener; its waits are aborted when
   * the signal fires.
   */
  open(signal: AbortSignal, options: ReservationOptions = {}): MemoryReservation {
    const owner = {
      fits: (bytes: number) =>
        !this.#isPreceded(reservation) && this.#fits(bytes) && this.#isWithinThreshold(reservation, bytes),
      canComputeResult: (bytes: number) =>
        !this.#waiting.some(({ waiter }) => waiter?.isResult) && this.#canComputeResult(reservation, bytes),
      waits: () => this.#admit(),
      lowered: () => this.#memoryFreed(),
      closed: () => {
        this.#reservations.delete(reservation);
        this.#memoryFreed();
      },
    };
    const reservation = new MemoryReservation(signal, owner, options);
    this.#projects.note(reservation.projectId);
    this.#reservations.add(reservation);
    return reservation;
  }

  get #waiting(): MemoryReservation[] {
    return [...this.#reservations].filter(({ waiter }) => waiter);
  }

  get #waitingForData(): MemoryReservation[] {
    return this.#waiting.filter(({ waiter }) => !waiter?.isResult);
  }

  #fits(bytes: number): boolean {
    let total = bytes;
    for (const reservation of this.#reservations) total += reservation.size;
    return total <= this.#options.limit * dataFraction;
  }

  /**
   * Whether a project stays within its threshold if one of its reservations grows by `bytes`. A
   * project without other large data may exceed its threshold.
   */
  #isWithinThreshold(reservation: MemoryReservation, bytes: number): boolean {
    if (!this.#projects.areSeveral) return true;
    let ofProject = bytes;
    let ofOthers = 0;
    let isAlone = true;
    for (const other of this.#reservations) {
      const isOwn = other.projectId === reservation.projectId;
      if (isOwn) ofProject += other.size;
      else ofOthers += other.size;
      isAlone &&= !isOwn || other === reservation || !isLarge(other);
    }
    return isAlone || ofProject <= (this.#options.limit * dataFraction - ofOthers) / 2;
  }

  /** Whether waiting work comes first: of this project, or of projects within their threshold. */
  #isPreceded({ projectId }: MemoryReservation): boolean {
    return this.#waiting.some((other) => other.projectId === projectId || this.#isWithinThreshold(other, other.missing));
  }

  #memoryFreed(): void {
    if (this.isExceeded) this.#admit();
  }

  #admit(isDue = false): void {
    this.#admitResults();
    this.#admitData(isDue);
    this.#watch();
  }

  /** Resumes results for which memory is free, those of the least recently served project first. */
  #admitResults(): void {
    const canCompute = (reservation: MemoryReservation) =>
      reservation.waiter?.isResult && this.#canComputeResult(reservation, reservation.missing);
    for (let next = this.#waitingByTurn().find(canCompute); next; next = this.#waitingByTurn().find(canCompute)) {
      this.#turns.delete(next.projectId);
      this.#turns.add(next.projectId);
      next.resume();
    }
  }

  #waitingByTurn(): MemoryReservation[] {
    const turns = [...this.#turns];
    const turnOf = ({ projectId }: MemoryReservation) => turns.indexOf(projectId);
    return this.#waiting.sort((one, other) => turnOf(one) - turnOf(other));
  }

  /** Resumes all data that fits, or the oldest if nothing else can free memory. */
  #admitData(isDue: boolean): void {
    let isAdmitted = false;
    let next = this.#nextData();
    for (; next && this.#fits(next.missing); next = this.#nextData()) {
      next.resume();
      isAdmitted = true;
    }
    const [oldest] = this.#waitingForData;
    if (isAdmitted || !oldest) return;
    next ??= oldest;
    if (![...this.#reservations].some(isLarge)) oldest.resume();
    else if (isDue && this.#isSpare(next, next.missing)) next.resume();
  }

  /**
   * The oldest waiting reservation whose project stays within its threshold. Reservations of one
   * project keep their order.
   */
  #nextData(): MemoryReservation | undefined {
    const oldest = new Map<string, MemoryReservation>();
    for (const reservation of this.#waitingForData)
      if (!oldest.has(reservation.projectId)) oldest.set(reservation.projectId, reservation);
    return [...oldest.values()].find((reservation) => this.#isWithinThreshold(reservation, reservation.missing));
  }

  #isSpare(reservation: MemoryReservation, bytes: number): boolean {
    const { limit, inUse } = this.#options;
    const max = this.#isWithinThreshold(reservation, bytes) ? maxUse : maxUseBeyondThreshold;
    return inUse() + (bytes + this.#computing) / limit <= max;
  }

  /** Whether another result may be computed: yes, unless outputs will soon contain earlier ones. */
  #canComputeResult(reservation: MemoryReservation, bytes: number): boolean {
    const { left } = this.#options;
    // Nodes that wait for a further result keep their earlier ones: a wait for these would never
    // end.
    const isAwaited = (other: MemoryReservation) => other.computing > 0 && other !== reservation && !other.waiter;
    if (![...this.#reservations].some((other) => other.isComputing || isAwaited(other))) return true;
    if (left && left() < bytes + this.#computing) return false;
    return (this.#fits(bytes) && this.#isWithinThreshold(reservation, bytes)) || this.#isSpare(reservation, bytes);
  }

  /** Size of the results that will be in memory soon. */
  get #computing(): number {
    let total = 0;
    for (const { computing } of this.#reservations) total += computing;
    return total;
  }

  /** Checks the memory in use regularly while work waits. */
  #watch(): void {
    if (this.#waiting.length > 0) {
      this.#timer ??= setInterval(() => this.#admit(true), intervalMs).unref();
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#turns.clear();
  }
}

/** Whether a reservation has much data and does not wait, so that it frees memory when it ends. */
function isLarge({ size, waiter }: MemoryReservation): boolean {
  return !waiter && size > smallBytes;
}
