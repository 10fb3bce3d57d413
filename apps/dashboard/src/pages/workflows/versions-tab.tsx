import { useInfiniteQuery } from '@tanstack/react-query';
import { GitCompareArrows, Power } from 'lucide-react';
import { useState } from 'react';
import { pageByPage } from '../../data/all-pages.ts';
import { api, call, type Schemas } from '../../data/api.ts';
import { activateWorkflow, readWorkflow, useVersion, versionTitle, type Workflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Empty, ErrorState, Loading, Pending } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { ActivatedDialog, hasNotes } from './activated-dialog.tsx';
import { VersionDiff } from './editor/version-diff.tsx';
import type { WorkflowEditor } from './use-workflow-editor.ts';

type Version = Schemas['WorkflowVersion'];

/** All versions: compare with the previous version, and activate to roll back. */
export function VersionsTab({ editor }: { editor: WorkflowEditor }) {
  const { workflow } = editor;
  const pages = useInfiniteQuery({
    queryKey: ['workflows', workflow.id, 'versions', workflow.versionId],
    ...pageByPage((position) =>
      call(api.GET('/workflows/{id}/versions', { params: { path: { id: workflow.id }, query: { limit: 50, ...position } } })),
    ),
  });
  const versions = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const [chosen, setChosen] = useState<string>();
  const [base, setBase] = useState<string>();
  const [activating, setActivating] = useState<Version>();
  const [activated, setActivated] = useState<Workflow>();
  const current = versions.find(({ id }) => id === chosen) ?? versions[0];
  const before = versions.find(({ id }) => id === base) ?? versions[versions.findIndex(({ id }) => id === current?.id) + 1];
  if (!pages.data) return <Pending query={pages} />;
  return (
    <div className="versions">
      <div className="version-list">
        <ol aria-label="Versions">
          {versions.map((version) => (
            <li key={version.id} data-selected={version.id === current?.id}>
              <button
                type="button"
                className="version"
                aria-current={version.id === current?.id}
                onClick={() => {
                  setChosen(version.id);
                  setBase(undefined);
                }}
              >
                <span className="row">
                  <strong className="truncate">{versionTitle(version)}</strong>
                  {version.active && <Badge tone="success">Active</Badge>}
                  {version.id === workflow.versionId && <Badge>Newest</Badge>}
                </span>
                <span className="muted">
                  <Time at={version.createdAt} />
                  {version.description && ` · ${version.description}`}
                </span>
              </button>
              <span className="row version-actions">
                <Button
                  kind="quiet"
                  icon={<GitCompareArrows size={14} />}
                  aria-label={`Compare with ${versionTitle(version)}`}
                  aria-pressed={base === version.id}
                  onClick={() => setBase(version.id)}
                >
                  Compare
                </Button>
                {editor.canEdit && !version.active && (
                  <Button
                    kind="quiet"
                    icon={<Power size={14} />}
                    aria-label={`Activate ${versionTitle(version)}`}
                    onClick={() => setActivating(version)}
                  >
                    Activate
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ol>
        {pages.isFetchNextPageError && <ErrorState error={pages.error} />}
        {pages.hasNextPage && (
          <Button kind="quiet" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Older versions
          </Button>
        )}
      </div>
      {current && <Comparison workflowId={workflow.id} version={current} before={before} />}
      {activating && (
        <ActivateDialog
          version={activating}
          editor={editor}
          onActivated={setActivated}
          onClose={() => setActivating(undefined)}
        />
      )}
      {activated && <ActivatedDialog workflow={activated} onClose={() => setActivated(undefined)} />}
    </div>
  );
}

function Comparison({ workflowId, version, before }: { workflowId: string; version: Version; before: Version | undefined }) {
  const [after, earlier] = [useVersion(workflowId, version.id), useVersion(workflowId, before?.id)];
  const error = after.error ?? earlier.error;
  if (error) return <ErrorState error={error} />;
  if (!after.data || (before && !earlier.data)) return <Loading />;
  if (version.id === before?.id) return <Empty title="This is the same version" />;
  return (
    <VersionDiff
      before={earlier.data}
      after={after.data}
      title={before ? `${versionTitle(before)} → ${versionTitle(version)}` : `${versionTitle(version)}, the first one`}
    />
  );
}

interface ActivateProps {
  version: Version;
  editor: WorkflowEditor;
  /** Receives a workflow with URLs or warnings. */
  onActivated(workflow: Workflow): void;
  onClose(): void;
}

function ActivateDialog({ version, editor: { workflow, accept }, onActivated, onClose }: ActivateProps) {
  const [name, setName] = useState(version.name ?? '');
  const activate = async () => {
    const body = { versionId: version.id, ...(name.trim() && { name: name.trim() }) };
    const changed = await activateWorkflow(workflow.id, body);
    await accept(await readWorkflow(workflow.id));
    if (hasNotes(changed)) onActivated(changed);
    else toast.success(`${versionTitle(version)} activated`);
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Activate ${versionTitle(version)}?`} action="Activate" onConfirm={activate}>
      <p>
        Triggers run it from now on{workflow.active ? ', instead of the active one' : ''}. Executions that have started keep
        their version.
      </p>
      <TextField label="Label" hint="Optional. Helps you find the version" value={name} onChange={setName} maxLength={128} />
    </ConfirmDialog>
  );
}
