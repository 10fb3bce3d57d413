/**
 * Runs a function for one message after another, so that messages are emitted in arrival order:
 * reading a long message takes several turns of the event loop.
 */
export function oneByOne<Input, Output>(work: (input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
  let last: Promise<unknown> = Promise.resolve();
  return (input) => {
    const next = last.then(() => work(input));
    last = next.catch(() => {});
    return next;
  };
}
