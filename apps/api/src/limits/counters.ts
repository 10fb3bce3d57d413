/** A counter: one caller's requests of one kind. */
export interface Bucket {
  key: string;
  /** Requests that may pass in a window. */
  max: number;
}

export interface Count {
  /** Requests in the current window, this one included. */
  hits: number;
  /** Milliseconds until the window ends; at least 1. */
  resetMs: number;
}

/** Fixed windows: the first request of a bucket begins one. */
export interface Counters {
  /** Counts one request in each bucket up to the first that is full: what comes behind that one is neither counted nor in the answer. */
  count(buckets: readonly Bucket[]): Promise<Count[]>;
}
