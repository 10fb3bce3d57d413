import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import {
  declarativeExecute,
  type ExecuteContext,
  type NodeProperty,
  type NodeType,
  type NodeTypeDescription,
  type PreSend,
} from '@sluice/node-sdk';
import type { CommunityFunction, CommunityNodeType, CommunityProperty } from '../community-types.ts';
import { extractedValue } from '../context/extracted-value.ts';
import { NodeParameters } from '../context/node-parameters.ts';
import { plainData } from '../plain-data.ts';
import { adaptExecute } from './adapt-execute.ts';
import { adaptRouting } from './adapt-routing.ts';
import { withMembers } from './with-members.ts';

/**
 * Runs a declarative community type: our engine runs its routing, and operations with code run as
 * `execute` does.
 */
export function adaptDeclarative(type: CommunityNodeType, description: NodeTypeDescription): NonNullable<NodeType['execute']> {
  const { properties } = type.description;
  const requests = declarativeExecute(withRequestDefaults(type, description), (context, itemIndex) => {
    const read = (name: string) => context.parameter<JsonValue | (undefined & JsonValue)>(name, itemIndex);
    return withPlainLocators(new NodeParameters(read, properties, context.typeVersion).all(), properties);
  });
  return (context) => {
    const custom = customOperation(type, context);
    return custom ? adaptExecute(withMembers(type, { execute: custom }))(context) : requests(context);
  };
}

/** Code that replaces the routing of one operation. */
function customOperation({ customOperations }: CommunityNodeType, context: ExecuteContext): CommunityFunction | undefined {
  if (!customOperations) return undefined;
  // The workflow chooses these names, so inherited members such as `constructor` must not match.
  const operations = ownProperty(customOperations, context.parameter('resource', 0, ''));
  return operations && ownProperty(operations, context.parameter('operation', 0, ''));
}

/** Adds the type's request defaults as the first parameter. */
function withRequestDefaults(type: CommunityNodeType, description: NodeTypeDescription): NodeTypeDescription {
  const { requestDefaults: declared, requestOperations } = type.description;
  const requestDefaults = declared ?? {}; // it may be null
  const { skipSslCertificateValidation: isInsecure, disableFollowRedirect } = requestDefaults;
  const follow: PreSend = (request) => ({
    ...request,
    maxRedirects: disableFollowRedirect === true ? 0 : 10,
    ...(isInsecure === true && { tls: { rejectUnauthorized: false } }),
  });
  const first: NodeProperty = {
    displayName: 'Defaults',
    name: defaultsName,
    type: 'hidden',
    default: '',
    routing: { ...(requestOperations && adaptRouting({ operations: requestOperations }, type)), send: { preSend: [follow] } },
  };
  const defaults = plainData(requestDefaults);
  return {
    ...description,
    requestDefaults: isJsonObject(defaults) ? defaults : {},
    properties: [first, ...description.properties],
  };
}

/** A name that no workflow parameter has. */
const defaultsName = ' defaults';

/** Replaces locators by the values that they name, because routing uses only those. */
function withPlainLocators(parameters: JsonObject, properties: readonly CommunityProperty[]): JsonObject {
  const entries = Object.entries(parameters).map(([name, value]): [string, JsonValue] => {
    const isLocator = isJsonObject(value) && value['__rl'] === true;
    const property = properties.find((one) => one.name === name && one.type === 'resourceLocator');
    return [name, isLocator ? (extractedValue(value, property, name) as JsonValue) : value];
  });
  return { ...Object.fromEntries(entries), [defaultsName]: '' };
}
