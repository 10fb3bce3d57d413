import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { ApiError, messageOf } from '../data/errors.ts';
import { createStore, useStore } from '../data/store.ts';
import { IconButton } from './button.tsx';
import { ErrorDetails } from './error-details.tsx';

interface ToastEntry {
  id: number;
  tone: 'success' | 'error';
  title: string;
  text?: string | undefined;
  error?: unknown;
}

const entries = createStore<readonly ToastEntry[]>([]);
let lastId = 0;

function add(entry: Omit<ToastEntry, 'id'>): void {
  lastId += 1;
  entries.set([...entries.get(), { ...entry, id: lastId }].slice(-4));
}

function remove(id: number): void {
  entries.set(entries.get().filter((entry) => entry.id !== id));
}

/** `toast.success('Workflow saved')`, `toast.error(error, 'The workflow was not saved')` */
export const toast = {
  success: (title: string, text?: string) => add({ tone: 'success', title, text }),
  error(error: unknown, title = 'That did not work') {
    const request = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
    add({ tone: 'error', title, text: `${messageOf(error)}${request}`, error });
  },
};

export function Toasts() {
  return (
    <Radix.Provider swipeDirection="right" duration={6_000}>
      {useStore(entries).map(({ id, tone, title, text, error }) => (
        <Radix.Root
          key={id}
          className="toast"
          data-tone={tone}
          duration={tone === 'error' ? 12_000 : 4_000}
          onOpenChange={(open) => !open && remove(id)}
        >
          {tone === 'error' ? <CircleAlert size={16} /> : <CircleCheck size={16} />}
          <div className="grow">
            <Radix.Title className="toast-title">{title}</Radix.Title>
            {text && <Radix.Description className="toast-text">{text}</Radix.Description>}
            <ErrorDetails error={error} />
          </div>
          <Radix.Close asChild>
            <IconButton label="Dismiss">
              <X size={14} />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts" />
    </Radix.Provider>
  );
}
