import { defineVersionedNodeType, NodeOperationError, type NodeType, type NodeTypeDescription } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import type { FindCredentialType } from './adapt-credential-type.ts';
import { adaptDeclarative } from './adapt-declarative.ts';
import { adaptDescription } from './adapt-description.ts';
import { adaptExecute, resumeWaited } from './adapt-execute.ts';
import { adaptMethods, adaptWebhookMethods } from './adapt-methods.ts';
import { adaptPoll } from './adapt-poll.ts';
import { adaptTrigger } from './adapt-trigger.ts';
import { adaptWebhook } from './adapt-webhook.ts';
import { withCredentialDefaults } from './credential-defaults.ts';
import { withMembers } from './with-members.ts';

/**
 * Converts a checked community node type.
 *
 * @param find finds existing credential types, for the defaults of their fields.
 */
export function adaptNodeType(type: CommunityNodeType, find: FindCredentialType = () => undefined): NodeType {
  const completeCredentials: CommunityNodeType['completeCredentials'] = (name, data) =>
    withCredentialDefaults(data, find(name)?.properties ?? []);
  if (!type.nodeVersions) return adaptOne(withMembers(type, { completeCredentials }));
  return adaptVersions(type, type.nodeVersions, completeCredentials);
}

function adaptVersions(
  { description: base, currentVersion }: CommunityNodeType,
  versions: Record<string, CommunityNodeType>,
  completeCredentials: CommunityNodeType['completeCredentials'],
): NodeType {
  const adapted = Object.entries(versions).map(([version, type]): [string, NodeType] => {
    // A version may omit members that the type's base defines.
    const description = { ...base, ...type.description, version: type.description.version ?? Number(version) };
    return [version, adaptOne(withMembers(type, { description, ...(completeCredentials && { completeCredentials }) }))];
  });
  const defaultVersion = base?.defaultVersion ?? currentVersion;
  const hasDefault = defaultVersion !== undefined && Object.hasOwn(versions, String(defaultVersion));
  return defineVersionedNodeType({ versions: Object.fromEntries(adapted), ...(hasDefault && { defaultVersion }) });
}

function adaptOne(type: CommunityNodeType): NodeType {
  const description = adaptDescription(type);
  const methods = adaptMethods(type);
  const webhookMethods = adaptWebhookMethods(type);
  return {
    description,
    ...runOf(type, description),
    ...(type.poll && { poll: adaptPoll(type) }),
    ...(type.trigger && { trigger: adaptTrigger(type) }),
    ...(type.webhook && description.webhooks && { webhook: adaptWebhook(type) }),
    ...(type.supplyData && { supply: refusedSupply(type) }),
    ...(methods && { methods }),
    ...(webhookMethods && { webhookMethods }),
  };
}

/** A package's `supplyData` returns LangChain objects, which our nodes cannot use. */
function refusedSupply({ description: { displayName } }: CommunityNodeType): NonNullable<NodeType['supply']> {
  const message = `supplyData is not available to community packages: "${displayName}" cannot be used by other nodes`;
  const description = 'Use a type with `usableAsTool` to connect the package to an agent.';
  return () => {
    throw new NodeOperationError(message, { description }, 'NOT_SUPPORTED');
  };
}

/** Package code takes precedence over routing. A type that only starts executions has neither. */
function runOf(type: CommunityNodeType, description: NodeTypeDescription): Pick<NodeType, 'execute' | 'resume'> {
  if (type.execute) return { execute: adaptExecute(type), resume: resumeWaited };
  if (type.poll || type.trigger) return {};
  if (type.webhook) return { execute: (context) => [[...context.items()]] };
  return { execute: adaptDeclarative(type, description) };
}
