/**
 * Calls `act` at once, and for further calls within `ms` once more at the end of that time. The
 * last call is never lost. `act` may call the function itself to continue later.
 */
export function throttle(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const run = () => {
    isDue = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) run();
    }, ms);
    act();
  };
  return () => {
    if (timer === undefined) run();
    else isDue = true;
  };
}
