import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '../../data/api.ts';
import { deleteExecutions, executionsChanged } from '../../data/executions.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { ErrorState, Loaded } from '../../ui/states.tsx';
import { type Status, statusText } from '../../ui/status-badge.tsx';
import { toast } from '../../ui/toast.tsx';
import type { ExecutionQuery } from './filter.ts';

const open: readonly Status[] = ['new', 'running', 'waiting'];
const ended: readonly Status[] = ['success', 'error', 'canceled', 'crashed'];
/** Maximum number of executions that one request deletes. */
const batch = 250;
/** Milliseconds until a list that still has deleted executions is read again: it may come from a replica. */
const staleMs = 500;

interface BulkProps {
  query: ExecutionQuery;
  onClose(): void;
}

/** The filter, narrowed to these statuses; `undefined` if they exclude each other. */
function narrowed(query: ExecutionQuery, allowed: readonly Status[]): ExecutionQuery | undefined {
  const chosen = query.status?.split(',') ?? allowed;
  const both = allowed.filter((status) => chosen.includes(status));
  return both.length === 0 ? undefined : { ...query, status: both.join(',') };
}

function useCount(query: ExecutionQuery, refreshMs?: number) {
  return useQuery({
    queryKey: ['executions', 'count', query],
    queryFn: () => call(api.GET('/executions', { params: { query: { ...query, limit: 1 } } })),
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
    staleTime: 0,
  });
}

export function StopManyDialog({ query, onClose }: BulkProps) {
  const target = narrowed(query, open);
  if (target === undefined)
    return <Nothing title="Stop many" onClose={onClose} text="The filter shows only executions that have ended." />;
  return <StopMany target={target} onClose={onClose} />;
}

function StopMany({ target, onClose }: { target: ExecutionQuery; onClose(): void }) {
  const [state, setState] = useState<{ busy: boolean; total?: number; error?: unknown }>({ busy: false });
  const count = useCount(target, state.busy ? 500 : undefined);
  const left = count.data?.count ?? 0;
  const stop = async () => {
    setState({ busy: true, total: left });
    try {
      const { workflowId = 'all', status = '', ...rest } = target;
      const statuses = status.split(',').map((name) => (name === 'new' ? 'queued' : name)) as (
        | 'queued'
        | 'running'
        | 'waiting'
      )[];
      const filter = { workflowId, status: statuses, ...rest };
      const { stopped } = await call(api.POST('/executions/stopMany', { body: { filter } }));
      toast.success(`${counted(stopped, 'execution')} stopped`);
      await executionsChanged();
      onClose();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  const footer = (
    <>
      <Button onClick={onClose} disabled={state.busy}>
        Cancel
      </Button>
      <Button kind="danger" busy={state.busy} disabled={left === 0} onClick={() => void stop()}>
        Stop {left.toLocaleString('en-US')}
      </Button>
    </>
  );
  return (
    <Dialog onClose={onClose} title="Stop many executions" size="small" footer={footer} isBusy={state.busy}>
      <Loaded query={count} rows={1}>
        {({ count: matching, estimated }) => (
          <p>
            <strong>
              {estimated && 'About '}
              {matching.toLocaleString('en-US')}
            </strong>{' '}
            executions are {namesOf(target.status)} under the filter. They become <em>canceled</em>; what their nodes have
            already done stays done.
          </p>
        )}
      </Loaded>
      {state.busy && <Progress label="Stopping" done={(state.total ?? 0) - left} total={state.total ?? 0} />}
      {state.error !== undefined && <ErrorState error={state.error} />}
    </Dialog>
  );
}

export function DeleteManyDialog({ query, onClose }: BulkProps) {
  const [openedAt] = useState(() => new Date().toISOString());
  const target = narrowed({ startedBefore: openedAt, ...query }, ended);
  if (target === undefined) {
    return (
      <Nothing
        title="Delete many"
        onClose={onClose}
        text="The filter shows only executions that have not ended. Stop them first."
      />
    );
  }
  return <DeleteMany target={target} onClose={onClose} />;
}

function DeleteMany({ target, onClose }: { target: ExecutionQuery; onClose(): void }) {
  const count = useCount(target);
  const [state, setState] = useState<{ done?: number; total: number; error?: unknown }>({ total: 0 });
  const [abort] = useState(() => new AbortController());
  const busy = state.done !== undefined && state.error === undefined;
  const total = count.data?.count ?? 0;
  const close = () => {
    abort.abort();
    void executionsChanged();
    onClose();
  };
  const run = async () => {
    setState({ done: 0, total });
    try {
      const deleted = await deleteAll(target, abort.signal, (done) => setState({ done, total: Math.max(total, done) }));
      toast.success(`${counted(deleted, 'execution')} deleted`);
      close();
    } catch (error) {
      setState((before) => ({ ...before, error }));
    }
  };
  const footer = (
    <>
      <Button onClick={close}>{busy ? 'Stop here' : 'Cancel'}</Button>
      <Button kind="danger" busy={busy} disabled={total === 0} onClick={() => void run()}>
        Delete {total.toLocaleString('en-US')}
      </Button>
    </>
  );
  return (
    <Dialog onClose={close} title="Delete many executions" size="small" footer={footer}>
      <Loaded query={count} rows={1}>
        {({ count: matching, estimated }) => (
          <p>
            <strong>
              {estimated && 'About '}
              {matching.toLocaleString('en-US')}
            </strong>{' '}
            executions under the filter have ended ({namesOf(target.status)}). Their data and files are deleted with them. This
            cannot be undone.
          </p>
        )}
      </Loaded>
      {state.done !== undefined && <Progress label="Deleting" done={state.done} total={state.total} />}
      {state.error !== undefined && <ErrorState error={state.error} />}
    </Dialog>
  );
}

/** Deletes in batches until nothing matches or the user stops it. Returns how many it deleted. */
async function deleteAll(query: ExecutionQuery, signal: AbortSignal, onProgress: (done: number) => void): Promise<number> {
  const deleted = new Set<string>();
  for (;;) {
    const page = await call(api.GET('/executions', { params: { query: { ...query, limit: batch } } }));
    if (page.data.length === 0 || signal.aborted) return deleted.size;
    const ids = page.data.map(({ id }) => id).filter((id) => !deleted.has(id));
    if (ids.length > 0) await deleteExecutions(ids);
    else await new Promise((resolve) => setTimeout(resolve, staleMs));
    for (const id of ids) deleted.add(id);
    onProgress(deleted.size);
  }
}

function Nothing({ title, text, onClose }: { title: string; text: string; onClose(): void }) {
  return (
    <Dialog onClose={onClose} title={title} size="small" footer={<Button onClick={onClose}>Close</Button>}>
      <p>{text}</p>
    </Dialog>
  );
}

function namesOf(status = ''): string {
  const names = status.split(',').map((name) => statusText(name as Status).toLowerCase());
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
}
