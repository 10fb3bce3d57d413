import { useState } from 'react';
import { toast } from './toast.tsx';

type Action<Args extends unknown[]> = (...args: Args) => Promise<unknown>;

/**
 * An action, and the error with which it failed, until it runs again. `isBusy` is true from the
 * click on, so a button that it disables never acts twice: `isPending` of `useMutation` is true a
 * moment later.
 */
export function useSubmit<Args extends unknown[]>(action: Action<Args>) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const run = async (...args: Args): Promise<void> => {
    setState({ isBusy: true });
    try {
      await action(...args);
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return { ...state, run: (...args: Args) => void run(...args) };
}

/** An action whose failure is a toast with this title. */
export function useAction<Args extends unknown[]>(title: string, action: Action<Args>) {
  return useSubmit((...args: Args) => action(...args).catch((error: unknown) => toast.error(error, title)));
}
