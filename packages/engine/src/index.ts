export * from './ports.ts';
export { runWorkflow } from './run-workflow.ts';
export { describedPaths } from './triggers/described-webhooks.ts';
export { listTriggers, type NodeTrigger, type TriggerRequest } from './triggers/list-triggers.ts';
export { methodContext, type NodeRequest, type OpenedNode, openNode } from './triggers/open-node.ts';
export { type OpenedSource, openSource, type SourceRequest, toPollOutputs, toSourceItems } from './triggers/open-source.ts';
export {
  type Preview,
  type PreviewedParameter,
  type PreviewRequest,
  previewParameters,
} from './triggers/preview-parameters.ts';
export {
  isRegistered,
  needsRemoval,
  type RegistrationCall,
  register,
  registrationNames,
  unregister,
  webhookContext,
  webhookRegistration,
} from './triggers/registration.ts';
