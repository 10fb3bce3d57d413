import { activateWorkflow } from './activate-workflow.ts';
import { closeTestUrls } from './close-test-urls.ts';
import { createWorkflow } from './create-workflow.ts';
import { deactivateWorkflow } from './deactivate-workflow.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { getTestUrls } from './get-test-urls.ts';
import { getWorkflow } from './get-workflow.ts';
import { getWorkflowVersion } from './get-workflow-version.ts';
import { listWorkflowTriggers } from './list-workflow-triggers.ts';
import { listWorkflowVersions } from './list-workflow-versions.ts';
import { listWorkflows } from './list-workflows.ts';
import { openTestUrls } from './open-test-urls.ts';
import { previewExpressions } from './preview-expressions.ts';
import { runWorkflow } from './run-workflow.ts';
import { transferWorkflow } from './transfer-workflow.ts';
import { updateWorkflow } from './update-workflow.ts';

export const workflowRoutes = [
  listWorkflows,
  createWorkflow,
  getWorkflow,
  updateWorkflow,
  deleteWorkflow,
  activateWorkflow,
  deactivateWorkflow,
  runWorkflow,
  previewExpressions,
  openTestUrls,
  getTestUrls,
  closeTestUrls,
  transferWorkflow,
  listWorkflowVersions,
  getWorkflowVersion,
  listWorkflowTriggers,
];
