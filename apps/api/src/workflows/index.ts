import { createWorkflow } from './create-workflow.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { getWorkflow } from './get-workflow.ts';
import { listWorkflows } from './list-workflows.ts';
import { runWorkflow } from './run-workflow.ts';
import { updateWorkflow } from './update-workflow.ts';

export const workflowRoutes = [listWorkflows, createWorkflow, getWorkflow, updateWorkflow, deleteWorkflow, runWorkflow];
