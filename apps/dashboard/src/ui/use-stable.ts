import { useCallback, useRef } from 'react';

/**
 * A function that stays the same and calls the function of the last render. Memoized components
 * that receive it are not rendered again for a new closure. Only for event handlers.
 */
export function useStable<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(act);
  latest.current = act;
  return useCallback((...args) => latest.current(...args), []);
}
