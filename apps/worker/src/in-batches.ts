interface BatchOptions {
  /** Maximum steps per round, so that nothing else has to wait for long. */
  max: number;
  /** After it has fired, no further step starts. */
  signal: AbortSignal;
}

/** Repeats a step until it resolves to `false`: no more work. */
export async function inBatches(step: () => Promise<boolean>, { max, signal }: BatchOptions): Promise<void> {
  for (let batch = 0; batch < max && !signal.aborted; batch += 1) if (!(await step())) return;
}
