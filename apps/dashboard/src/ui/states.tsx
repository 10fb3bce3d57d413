import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../data/errors.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { ErrorDetails } from './error-details.tsx';

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** The button or link for the next step. */
  action?: ReactNode;
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      {icon && (
        <div className="empty-icon" aria-hidden="true">
          {icon}
        </div>
      )}
      <h2>{title}</h2>
      {children && <p className="muted">{children}</p>}
      {action && <div className="row">{action}</div>}
    </div>
  );
}

/** Gray bars in the place of content. */
export function Loading({ rows = 6, label = 'Loading', children }: { rows?: number; label?: string; children?: ReactNode }) {
  return (
    <div className="loading" role="status" aria-label={label}>
      {children}
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <div className="skeleton" key={index} />
      ))}
    </div>
  );
}

/** The message of the API with its request ID, which operators find in the log. */
export function ErrorState({ error, onRetry, title }: { error: unknown; onRetry?: () => void; title?: string | undefined }) {
  return (
    <div className="error-state" role="alert">
      <CircleAlert size={16} />
      <div className="grow">
        {title && <h2>{title}</h2>}
        <p>{messageOf(error)}</p>
        <ErrorDetails error={error} />
        {error instanceof ApiError && <ErrorOrigin error={error} />}
      </div>
      {onRetry && (
        <Button icon={<RotateCw size={14} />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function ErrorOrigin({ error: { code, status, requestId } }: { error: ApiError }) {
  return (
    <p className="error-origin">
      <span>
        {status} {code}
      </span>
      {requestId && (
        <>
          <span>request</span>
          <code>{requestId}</code>
          <CopyButton text={requestId} label="Copy the request ID" />
        </>
      )}
    </p>
  );
}

interface Readable<T> {
  data: T | undefined;
  error: unknown;
  /** Error of the last attempt, while further attempts follow. */
  failureReason?: unknown;
  refetch(): unknown;
  /** The next page of a list was not read. */
  isFetchNextPageError?: boolean;
  fetchNextPage?(): unknown;
}

/** Shows the data of a query once there is any, even if a later refresh fails. */
export function Loaded<T>({ query, rows, children }: { query: Readable<T>; rows?: number; children(data: T): ReactNode }) {
  if (query.data === undefined) return <Pending query={query} {...(rows !== undefined && { rows })} />;
  return (
    <>
      {query.isFetchNextPageError && (
        <ErrorState title="The list is not complete" error={query.error} onRetry={() => query.fetchNextPage?.()} />
      )}
      {children(query.data)}
    </>
  );
}

/** Shown in place of a query's data until there is some. */
export function Pending({
  query,
  rows = 6,
}: {
  query: Pick<Readable<unknown>, 'error' | 'failureReason' | 'refetch'>;
  rows?: number;
}) {
  if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  // The frame of the page reports a service that cannot be reached.
  const { failureReason: reason } = query;
  return (
    <Loading rows={rows}>{reason instanceof ApiError && <p className="muted">{reason.message} – trying again …</p>}</Loading>
  );
}
