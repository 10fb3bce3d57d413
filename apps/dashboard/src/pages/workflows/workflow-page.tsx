import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { hasRole, ownProjectId, type Project, projectList } from '../../data/projects.ts';
import { useUnsaved } from '../../data/unsaved.ts';
import { readWorkflow } from '../../data/workflows.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Page } from '../../ui/page.tsx';
import { Loading, Pending } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { ActivationSwitch } from './activation-switch.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StatisticsTab } from './statistics-tab.tsx';
import { TriggersTab } from './triggers-tab.tsx';
import { type RunOptions, type Stored, useWorkflowEditor } from './use-workflow-editor.ts';
import { useLastExecution } from './use-workflows.ts';
import { WarningsButton } from './warnings.tsx';
import { WorkflowActions } from './workflow-actions.tsx';
import './workflows.css';

const Editor = lazyPart(async () => (await import('./editor/editor.tsx')).Editor);
const VersionsTab = lazyPart(async () => (await import('./versions-tab.tsx')).VersionsTab);

/** One workflow: its graph to edit, versions, triggers, and results. The tab is in the URL. */
export function WorkflowPage() {
  const { workflowId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['workflows', workflowId, 'stored'],
    queryFn: () => readWorkflow(workflowId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const projects = useQuery(projectList);
  // A workflow can be shown even if the roles of the user are unknown.
  if (query.data && !projects.isPending) {
    return <Opened key={workflowId} stored={query.data} projects={projects.data ?? []} />;
  }
  return (
    <Page title="Workflow" before={back}>
      <Pending query={query} />
    </Page>
  );
}

const back = <BackLink to="/workflows" label="All workflows" />;

function Opened({ stored, projects }: { stored: Stored; projects: readonly Project[] }) {
  const project = projects.find(({ id }) => id === stored.workflow.projectId);
  // The service also checks the scopes of the key.
  const canEdit = project === undefined || hasRole(project, 'project:editor');
  const editor = useWorkflowEditor(stored, { canEdit, ownerId: ownProjectId(projects) });
  const { workflow, draft, isDirty } = editor;
  const { id } = workflow;
  const { tab = 'editor' } = useSearch({ strict: false });
  const navigate = useNavigate();
  useUnsaved(isDirty, async () => {
    try {
      return (await editor.save()) !== undefined;
    } catch (error) {
      toast.error(error, 'The workflow was not saved');
      return false;
    }
  });
  const last = useLastExecution(id).data;
  const [started, setStarted] = useState<string>();
  const start = async (options?: RunOptions) => {
    setStarted(await editor.run(options));
    show('editor');
  };
  const run = (options?: RunOptions) =>
    start(options).catch((error: unknown) => toast.error(error, 'The workflow did not start'));
  const show = (next: string) =>
    void navigate({
      to: '/workflows/$workflowId',
      params: { workflowId: id },
      search: { tab: next === 'editor' ? undefined : next },
      replace: true,
    });
  return (
    <Page
      title={draft.name}
      before={back}
      after={
        <>
          {canEdit ? (
            <ActivationSwitch editor={editor} />
          ) : (
            <Badge>{workflow.active ? 'Active, read only' : 'Read only'}</Badge>
          )}
          {editor.warnings.length > 0 && <WarningsButton warnings={editor.warnings} />}
          {isDirty && <Badge tone="waiting">Not saved</Badge>}
          {!isDirty && workflow.active && workflow.activeVersionId !== workflow.versionId && (
            <Badge tone="waiting">Newer than the active version</Badge>
          )}
        </>
      }
      actions={canEdit && <WorkflowActions editor={editor} onRun={run} onStart={start} />}
      fill
    >
      <Tabs
        label="Workflow"
        value={tab}
        onChange={show}
        tabs={[
          {
            value: 'editor',
            label: 'Editor',
            content: (
              <Suspense fallback={<Loading />}>
                <Editor
                  {...editor}
                  workflowId={id}
                  executionId={started ?? last?.id}
                  onRunTo={canEdit ? (destinationNode) => void run({ destinationNode }) : undefined}
                />
              </Suspense>
            ),
          },
          {
            value: 'versions',
            label: 'Versions',
            content: (
              <Suspense fallback={<Loading />}>
                <VersionsTab editor={editor} />
              </Suspense>
            ),
          },
          { value: 'triggers', label: 'Triggers', content: <TriggersTab workflow={workflow} draft={draft} /> },
          { value: 'statistics', label: 'Statistics', content: <StatisticsTab workflowId={id} /> },
          { value: 'settings', label: 'Settings', content: <SettingsTab editor={editor} /> },
        ]}
        end={
          <Link to="/executions" search={{ workflowId: id }} className="link nowrap">
            Executions
          </Link>
        }
      />
      {editor.hasConflict && <ConflictDialog editor={editor} />}
    </Page>
  );
}
