import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, call } from '../../data/api.ts';
import { deleteExecutions, executionsChanged } from '../../data/executions.ts';
import { changing } from '../../data/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { counted, exactly } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { ErrorState, Loaded } from '../../ui/states.tsx';
import { type Status, statusText } from '../../ui/status-badge.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSubmit } from '../../ui/use-action.ts';
import type { ExecutionQuery } from './filter.ts';

const open: readonly Status[] = ['new', 'running', 'waiting'];
const ended: readonly Status[] = ['success', 'error', 'canceled', 'crashed'];
/** Maximum number of executions that one request deletes. */
const batch = 250;
/** Milliseconds until a list that still has deleted executions is read again (replicas). */
const staleMs = 500;

interface BulkProps {
  query: ExecutionQuery;
  onClose(): void;
}

interface TargetProps {
  target: ExecutionQuery;
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
  if (target) return <StopMany target={target} onClose={onClose} />;
  return <Nothing title="Stop many" onClose={onClose} text="The filter shows only executions that have ended." />;
}

type OpenStatus = 'queued' | 'running' | 'waiting';

function StopMany({ target, onClose }: TargetProps) {
  /** Executions at the start; `undefined`: not started. */
  const [total, setTotal] = useState<number>();
  const count = useCount(target, total === undefined ? undefined : 500);
  const left = count.data?.count ?? 0;
  const stop = async () => {
    setTotal(left);
    try {
      const { workflowId = 'all', status = '', ...rest } = target;
      const statuses = status.split(',').map((name) => (name === 'new' ? 'queued' : name)) as OpenStatus[];
      const filter = { workflowId, status: statuses, ...rest };
      const { stopped } = await changing(call(api.POST('/executions/stopMany', { body: { filter } })), 'executions');
      toast.success(`${counted(stopped, 'execution')} stopped`);
    } finally {
      setTotal(undefined);
    }
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Stop many executions"
      action={`Stop ${exactly(left)}`}
      danger
      disabled={left === 0}
      onConfirm={stop}
    >
      <Matching count={count}>
        executions are {namesOf(target.status)} under the filter. They become <em>canceled</em>; what their nodes have already
        done stays done.
      </Matching>
      {total !== undefined && <Progress label="Stopping" done={total - left} total={total} />}
    </ConfirmDialog>
  );
}

export function DeleteManyDialog({ query, onClose }: BulkProps) {
  const [openedAt] = useState(() => new Date().toISOString());
  const target = narrowed({ startedBefore: openedAt, ...query }, ended);
  if (target) return <DeleteMany target={target} onClose={onClose} />;
  const text = 'The filter shows only executions that have not ended. Stop them first.';
  return <Nothing title="Delete many" onClose={onClose} text={text} />;
}

function DeleteMany({ target, onClose }: TargetProps) {
  const count = useCount(target);
  const total = count.data?.count ?? 0;
  const [done, setDone] = useState<number>();
  const [abort] = useState(() => new AbortController());
  const close = () => {
    abort.abort();
    void executionsChanged();
    onClose();
  };
  const remove = useSubmit(async () => {
    setDone(0);
    const deleted = await deleteAll(target, abort.signal, setDone);
    toast.success(`${counted(deleted, 'execution')} deleted`);
    close();
  });
  const footer = (
    <>
      <Button onClick={close}>{remove.isBusy ? 'Stop here' : 'Cancel'}</Button>
      <Button kind="danger" busy={remove.isBusy} disabled={total === 0} onClick={remove.run}>
        Delete {exactly(total)}
      </Button>
    </>
  );
  return (
    <Dialog onClose={close} title="Delete many executions" size="small" footer={footer}>
      <Matching count={count}>
        executions under the filter have ended ({namesOf(target.status)}). Their data and files are deleted with them. This
        cannot be undone.
      </Matching>
      {done !== undefined && <Progress label="Deleting" done={done} total={Math.max(total, done)} />}
      {remove.error !== undefined && <ErrorState error={remove.error} />}
    </Dialog>
  );
}

/** A sentence that starts with the number of executions under the filter. */
function Matching({ count, children }: { count: ReturnType<typeof useCount>; children: ReactNode }) {
  return (
    <Loaded query={count} rows={1}>
      {({ count: matching, estimated }) => (
        <p>
          <strong>
            {estimated && 'About '}
            {exactly(matching)}
          </strong>{' '}
          {children}
        </p>
      )}
    </Loaded>
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
