export * from './ports.ts';
export { runWorkflow } from './run-workflow.ts';
export { describedPaths } from './sources/described-webhooks.ts';
export { listTriggers, type NodeTrigger, type TriggerRequest } from './sources/list-triggers.ts';
export { methodContext, type NodeRequest, type OpenedNode, openNode } from './sources/open-node.ts';
export { type OpenedSource, openSource, type SourceRequest, toPollOutputs, toSourceItems } from './sources/open-source.ts';
export { type Preview, type PreviewedParameter, type PreviewRequest, previewParameters } from './sources/preview-parameters.ts';
export {
  isRegistered,
  needsRemoval,
  type RegistrationCall,
  register,
  registrationNames,
  unregister,
  webhookContext,
  webhookRegistration,
} from './sources/registration.ts';
