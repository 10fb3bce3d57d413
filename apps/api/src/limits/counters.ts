import type { ClientRateLimitInfo } from 'express-rate-limit';

/** Counter for the requests of one sender and one kind. */
export interface Bucket {
  key: string;
  /** Requests allowed in a window. */
  max: number;
}

/** Requests in the current window, this one included, and the end of the window. */
export type Count = ClientRateLimitInfo & { resetTime: Date };

/** Fixed windows, each started by the first request of a bucket. */
export interface Counters {
  /**
   * Counts one request in each bucket up to the first full one. Later buckets are neither counted
   * nor returned.
   */
  count(buckets: readonly Bucket[]): Promise<Count[]>;
}
