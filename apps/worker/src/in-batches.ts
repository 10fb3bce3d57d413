export interface BatchOptions {
  /** Of one round: what is left is for the next, so that nothing else has to wait for long. */
  max: number;
  /** Once it has fired, no further batch begins. */
  signal: AbortSignal;
}

/** Takes steps until one resolves to `false`: there is nothing more to do. */
export async function inBatches(step: () => Promise<boolean>, { max, signal }: BatchOptions): Promise<void> {
  for (let batch = 0; batch < max && !signal.aborted; batch += 1) if (!(await step())) return;
}
