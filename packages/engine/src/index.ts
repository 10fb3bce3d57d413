export { describedPaths } from './described-webhooks.ts';
export { listTriggers, type NodeTrigger, type TriggerRequest } from './list-triggers.ts';
export { methodContext, type NodeRequest, type OpenedNode, openNode } from './open-node.ts';
export { type OpenedSource, openSource, type SourceRequest, toPollOutputs, toSourceItems } from './open-source.ts';
export * from './ports.ts';
export { type Preview, type PreviewedParameter, type PreviewRequest, previewParameters } from './preview-parameters.ts';
export {
  isRegistered,
  needsRemoval,
  type RegistrationCall,
  register,
  registrationNames,
  unregister,
  webhookContext,
  webhookRegistration,
} from './registration.ts';
export { runWorkflow } from './run-workflow.ts';
