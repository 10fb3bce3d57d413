export { listTriggers, type NodeTrigger, type TriggerRequest } from './list-triggers.ts';
export * from './ports.ts';
export { runWorkflow } from './run-workflow.ts';
