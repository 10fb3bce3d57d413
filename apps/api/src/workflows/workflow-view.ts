import type { TriggerUrl, WorkflowVersionContent, WorkflowVersionView, WorkflowView, WorkflowWarning } from '@sluice/contract';
import type { Workflow, WorkflowVersion, WorkflowVersionHead } from '@sluice/db';

interface WorkflowViewOptions {
  excludePinnedData?: boolean;
  warnings?: WorkflowWarning[];
  /** Addresses of its webhooks and forms. */
  urls?: TriggerUrl[];
}

export function toWorkflowView(
  workflow: Workflow,
  { excludePinnedData = false, warnings = [], urls = [] }: WorkflowViewOptions = {},
): WorkflowView {
  const { graph } = workflow;
  return {
    id: workflow.id,
    name: workflow.name,
    active: workflow.active,
    nodes: graph.nodes,
    connections: graph.connections,
    settings: graph.settings ?? {},
    staticData: workflow.staticData,
    ...(excludePinnedData ? {} : { pinData: graph.pinData ?? {} }),
    meta: workflow.meta,
    tags: workflow.tags,
    projectId: workflow.projectId,
    versionId: workflow.versionId,
    activeVersionId: workflow.activeVersionId,
    createdAt: workflow.createdAt.toISOString(),
    updatedAt: workflow.updatedAt.toISOString(),
    ...(urls.length > 0 && { urls }),
    ...(warnings.length > 0 && { warnings }),
  };
}

export function toVersionView(version: WorkflowVersionHead): WorkflowVersionView {
  const { id, workflowId, number, name, description, authorId, active, createdAt } = version;
  return { id, workflowId, number, name, description, authorId, active, createdAt: createdAt.toISOString() };
}

export function toVersionContent(version: WorkflowVersion, { excludePinnedData = false } = {}): WorkflowVersionContent {
  const { name: workflowName, nodes, connections, settings = {}, pinData = {} } = version.graph;
  return { ...toVersionView(version), workflowName, nodes, connections, settings, ...(excludePinnedData ? {} : { pinData }) };
}
