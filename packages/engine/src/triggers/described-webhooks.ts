import { isRouteSegment, type JsonObject, userKeyed, type WebhookTrigger, type WorkflowNode } from '@sluice/domain';
import { NodeOperationError, type NodeType, type WebhookDescription } from '@sluice/node-sdk';
import type { EvaluationScope } from '@sluice/sandbox';
import type { OpenedNode } from './open-node.ts';

const methods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];
const responseModes = ['onReceived', 'lastNode', 'responseNode'] as const;

/** A node whose type describes webhooks. */
interface WebhookOwner {
  type: NodeType;
  node: Pick<WorkflowNode, 'id' | 'name' | 'webhookId'>;
  workflowId: string;
  /** Resolves a string of the description. Strings that start with `=` are expressions. */
  resolve(text: string): Promise<unknown>;
}

/**
 * Resolves the webhooks in the description of a node's type. Throws `NodeOperationError` for an
 * invalid one.
 */
export async function describedWebhooks(owner: WebhookOwner): Promise<WebhookTrigger[]> {
  const triggers = (owner.type.description.webhooks ?? []).map((webhook) => triggerOf(webhook, owner));
  return (await Promise.all(triggers)).filter((trigger) => trigger !== undefined);
}

/**
 * Webhook name → path for all webhooks that the type of an opened node describes. If a name occurs
 * twice, the first one wins. Throws like `describedWebhooks`.
 */
export async function describedPaths({ type, node, workflow, context, parameters }: OpenedNode): Promise<Map<string, string>> {
  const seen = { names: {}, parameters: visibleParameters(type, parameters()) };
  const webhooks = await describedWebhooks({
    type,
    node,
    workflowId: workflow.id,
    resolve: async (text) => (text.startsWith('=') ? context.evaluateText(text, 0, seen) : text),
  });
  return new Map(webhooks.toReversed().map(({ path, described }) => [described?.name ?? '', path]));
}

async function triggerOf(webhook: WebhookDescription, owner: WebhookOwner): Promise<WebhookTrigger | undefined> {
  const text = async (member: 'httpMethod' | 'path' | 'responseMode') =>
    String((await owner.resolve(webhook[member])) ?? '').trim();
  const method = (await text('httpMethod')).toUpperCase();
  if (method === '') return undefined;
  if (!methods.includes(method)) throw wrong(webhook, 'httpMethod', 'is not a method of a webhook');
  const mode = (await text('responseMode')) || 'onReceived';
  const responseMode = responseModes.find((one) => one === mode);
  if (responseMode === undefined) throw wrong(webhook, 'responseMode', `is not one of ${responseModes.join(', ')}`);
  return {
    kind: 'webhook',
    methods: [method],
    path: pathOf(webhook, await text('path'), owner),
    files: { take: 'all' },
    response: { mode: responseMode, status: 200, headers: {}, data: 'firstEntryJson' },
    described: { name: webhook.name, handled: owner.type.webhook !== undefined },
  };
}

function pathOf(webhook: WebhookDescription, written: string, { node, workflowId }: WebhookOwner): string {
  const relative = written.split('/').filter((part) => part !== '');
  const base = webhook.isFullPath
    ? []
    : node.webhookId
      ? [segmentOf(node.webhookId)]
      : [workflowId, segmentOf(node.id ?? node.name)];
  const segments = [...base, ...relative];
  const isPath =
    segments.length > 0 && segments.length <= 50 && segments.every(isRouteSegment) && !segments[0]?.startsWith(':');
  if (!isPath) throw wrong(webhook, 'path', 'must be words between slashes; words but the first may begin with ":"');
  const names = segments.filter((segment) => segment.startsWith(':'));
  if (new Set(names).size < names.length) throw wrong(webhook, 'path', 'names a part twice');
  return segments.join('/');
}

/** Node ids are arbitrary text, so an id that is not valid in a path is encoded as base64url. */
function segmentOf(id: string): string {
  return /^[\w-]{1,100}$/.test(id) ? id : Buffer.from(id).toString('base64url').slice(0, 200);
}

function wrong({ name }: WebhookDescription, member: string, problem: string): NodeOperationError {
  return new NodeOperationError(`the ${member} of the webhook "${name}" ${problem}`);
}

/** Scope for a description's strings. */
export function describedScope(scope: EvaluationScope, type: NodeType, parameters: JsonObject): EvaluationScope {
  return { ...scope, node: { ...scope.node, parameters: visibleParameters(type, parameters) } };
}

/** The resolved parameters, and defaults for omitted ones. */
function visibleParameters({ description }: NodeType, parameters: JsonObject): JsonObject {
  const defaults = description.properties.map(({ name, default: initial }) => [name, initial] as const);
  return userKeyed([...defaults, ...Object.entries(parameters)]);
}
