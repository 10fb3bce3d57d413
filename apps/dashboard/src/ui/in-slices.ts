/** Milliseconds of a slice. Between two, the browser handles input and draws. */
const sliceMs = 10;

/**
 * Runs steps in slices, the first at once, and passes their result to `done`. Returns a function
 * that stops them.
 */
export function inSlices<T>(steps: Generator<undefined, T>, done: (result: T) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runSlice = () => {
    const endsAt = performance.now() + sliceMs;
    let step = steps.next();
    while (!step.done && performance.now() < endsAt) step = steps.next();
    if (step.done) done(step.value);
    else timer = setTimeout(runSlice);
  };
  runSlice();
  return () => clearTimeout(timer);
}
