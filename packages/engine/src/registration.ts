import { type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import {
  type NodeHook,
  NodeOperationError,
  type NodeType,
  runRouting,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import { methodContext, type OpenedNode } from './open-node.ts';

/** Something that a node has at a remote service while its workflow is active. */
export interface RegistrationCall {
  node: OpenedNode;
  /** As `registrationNames` gives it. */
  name: string;
  /** Name of a webhook of the node → its address. */
  urls: Readonly<Record<string, string>>;
  /** What the node keeps for it: changed in place by the calls. */
  data: JsonObject;
}

const hooks = 'hooks';
const webhookPrefix = 'webhook:';

/** What nodes of a type register at their activation: `webhook:<name>` for each webhook with methods, `hooks` for those of the description. */
export function registrationNames({ description, webhookMethods = {} }: NodeType): string[] {
  const { activate = [], deactivate = [] } = description.hooks ?? {};
  const webhooks = (description.webhooks ?? []).filter(({ name }) => Object.hasOwn(webhookMethods, name));
  return [
    ...webhooks.map(({ name }) => `${webhookPrefix}${name}`),
    ...(activate.length > 0 || deactivate.length > 0 ? [hooks] : []),
  ];
}

/** Whether the service knows of it already. Hooks cannot ask: they have been called, or have not. */
export async function isRegistered(call: RegistrationCall): Promise<boolean> {
  const methods = methodsOf(call);
  return methods ? await methods.checkExists(webhookContext(call)) : call.data[calledKey] === true;
}

/** Throws what the type throws, and `NodeOperationError` where it says that it did not. */
export async function register(call: RegistrationCall): Promise<void> {
  const methods = methodsOf(call);
  if (!methods) {
    await callHooks(call, call.node.type.description.hooks?.activate ?? []);
    call.data[calledKey] = true;
  } else if (!(await methods.create(webhookContext(call)))) throw refused(call, 'create');
}

/** As `register`, for its end. */
export async function unregister(call: RegistrationCall): Promise<void> {
  const methods = methodsOf(call);
  if (!methods) {
    await callHooks(call, call.node.type.description.hooks?.deactivate ?? []);
    delete call.data[calledKey];
  } else if (!(await methods.delete(webhookContext(call)))) throw refused(call, 'delete');
}

const calledKey = 'called';

/** What is given to what has to do with one webhook of a node. */
export function webhookContext({ node, name, urls, data }: RegistrationCall): WebhookContext {
  const webhookName = name.slice(webhookPrefix.length);
  return {
    ...methodContext(node),
    workflow: node.workflow,
    webhookName,
    staticData: data,
    webhookUrl(wanted = webhookName) {
      const url = ownProperty(urls, wanted);
      if (url !== undefined) return url;
      const description = 'Set PUBLIC_URL to the address at which this instance is reached';
      throw new NodeOperationError(`the webhook "${wanted}" has no address`, { description });
    },
  };
}

/** The name under which a webhook of a description is registered. */
export function webhookRegistration(webhookName: string): string {
  return `${webhookPrefix}${webhookName}`;
}

/** `undefined`: these are hooks. Throws for a webhook that the type has no methods for (any more). */
function methodsOf({ node, name }: RegistrationCall): WebhookMethods | undefined {
  if (name === hooks) return undefined;
  const methods = ownProperty(node.type.webhookMethods ?? {}, name.slice(webhookPrefix.length));
  if (!methods) throw new NodeOperationError(`the type ${node.node.type} has no webhookMethods for ${name}`);
  return methods;
}

async function callHooks({ node, urls }: RegistrationCall, calls: readonly NodeHook[]): Promise<void> {
  for (const { method, request } of calls) {
    const routing = { request: { ...request, method } };
    await runRouting(node.type.description, routing, node.context, { $webhookUrls: { ...urls } as Record<string, JsonValue> });
  }
}

function refused({ node, name }: RegistrationCall, method: string): NodeOperationError {
  return new NodeOperationError(`webhookMethods.${method} of ${node.node.type} says that it did not (${name})`);
}
