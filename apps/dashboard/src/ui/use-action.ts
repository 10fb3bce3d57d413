import { useState } from 'react';
import { toast } from './toast.tsx';

/**
 * An action whose failure is a toast with the given title. `isBusy` is true from the click on, so a button that it
 * disables never acts twice: `isPending` of `useMutation` is true a moment later.
 */
export function useAction<Args extends unknown[]>(title: string, action: (...args: Args) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const run = async (...args: Args): Promise<void> => {
    setBusy(true);
    try {
      await action(...args);
    } catch (error) {
      toast.error(error, title);
    } finally {
      setBusy(false);
    }
  };
  return { run: (...args: Args) => void run(...args), isBusy };
}
