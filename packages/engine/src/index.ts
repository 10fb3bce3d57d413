export * from './ports.ts';
export { runWorkflow } from './run-workflow.ts';
