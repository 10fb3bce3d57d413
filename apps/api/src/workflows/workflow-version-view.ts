import type { WorkflowVersionContent, WorkflowVersionView } from '@sluice/contract';
import type { WorkflowVersion, WorkflowVersionHead } from '@sluice/db';

export function toVersionView(version: WorkflowVersionHead): WorkflowVersionView {
  const { id, workflowId, number, name, description, authorId, active, createdAt } = version;
  return { id, workflowId, number, name, description, authorId, active, createdAt: createdAt.toISOString() };
}

export function toVersionContent(version: WorkflowVersion, { excludePinnedData = false } = {}): WorkflowVersionContent {
  const { name: workflowName, nodes, connections, settings = {}, pinData = {} } = version.graph;
  return { ...toVersionView(version), workflowName, nodes, connections, settings, ...(excludePinnedData ? {} : { pinData }) };
}
