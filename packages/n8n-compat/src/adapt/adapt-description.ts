import {
  type ConnectionType,
  connectionTypes,
  type IconColor,
  iconColors,
  type NodeCredential,
  type NodeGroup,
  type NodeProperty,
  type NodeTypeDescription,
  nodeGroups,
  pollTimesProperty,
  type WebhookDescription,
} from '@sluice/node-sdk';
import type { CommunityDescription, CommunityNodeType } from '../community-types.ts';
import { plainData } from '../plain-data.ts';
import { adaptProperties } from './adapt-properties.ts';
import { adaptRouting } from './adapt-routing.ts';

/** Converts a type's description. Its name is unchanged, because workflows refer to it. */
export function adaptDescription(type: CommunityNodeType): NodeTypeDescription {
  const { description } = type;
  const {
    name,
    displayName,
    version,
    defaultVersion,
    description: text,
    defaults,
    iconColor,
    subtitle,
    maxNodes,
  } = description;
  const credentials = description.credentials?.map(adaptCredential);
  return {
    displayName,
    name,
    group: groupsOf(description.group),
    version,
    ...(defaultVersion !== undefined && [version].flat().includes(defaultVersion) && { defaultVersion }),
    description: typeof text === 'string' ? text : '',
    defaults: { name: typeof defaults?.name === 'string' && defaults.name !== '' ? defaults.name : displayName },
    inputs: connectionsOf(description.inputs),
    outputs: connectionsOf(description.outputs),
    properties: propertiesOf(type),
    ...iconOf(description.icon),
    ...(iconColors.includes(iconColor as IconColor) && { iconColor: iconColor as IconColor }),
    ...(typeof subtitle === 'string' && subtitle !== '' && { subtitle }),
    ...(credentials && { credentials }),
    ...(description.polling === true && { polling: true }),
    ...(isUsableAsTool(description) && { usableAsTool: true }),
    ...(description.webhooks && { webhooks: description.webhooks.map(adaptWebhookDescription) }),
    ...(Number.isInteger(maxNodes) && (maxNodes as number) > 0 && { maxNodes: maxNodes as number }),
  };
}

/** `true`, or an object with changes of the description for the tool, which do not apply here. */
function isUsableAsTool({ usableAsTool }: CommunityDescription): boolean {
  return usableAsTool === true || (typeof usableAsTool === 'object' && usableAsTool !== null);
}

/** Community descriptions do not include poll times: the runner adds them. */
function propertiesOf(type: CommunityNodeType): NodeProperty[] {
  const { polling, properties } = type.description;
  const adapted = adaptProperties(properties, (routing) => adaptRouting(routing, type));
  const isTimed = adapted.some(({ name }) => name === pollTimesProperty.name);
  return polling === true && !isTimed ? [pollTimesProperty, ...adapted] : adapted;
}

function adaptWebhookDescription({
  name,
  httpMethod,
  responseMode,
  path,
  isFullPath,
}: Record<string, unknown>): WebhookDescription {
  return {
    name: textOf(name, 'default'),
    httpMethod: textOf(httpMethod, 'GET'),
    responseMode: textOf(responseMode, 'onReceived'),
    path: textOf(path, ''),
    ...(isFullPath === true && { isFullPath }),
  };
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

function groupsOf(groups: readonly string[] = []): NodeGroup[] {
  const validGroups = nodeGroups.filter((group) => groups.includes(group));
  return validGroups.length > 0 ? validGroups : ['transform'];
}

/** Names, or objects that name a type. An expression becomes one connection of the main type. */
function connectionsOf(connections: unknown): ConnectionType[] {
  if (!Array.isArray(connections)) return ['main'];
  return connections.map((connection: unknown) => {
    const type = typeof connection === 'object' && connection !== null ? (connection as { type?: unknown }).type : connection;
    return connectionTypes.find((candidate) => candidate === type) ?? 'main';
  });
}

/** The same icon is used for light and dark themes. Only SVG is supported. */
function iconOf(icon: unknown): { icon?: string } {
  const name: unknown = typeof icon === 'object' && icon !== null && 'light' in icon ? icon.light : icon;
  const isKnown = typeof name === 'string' && /^(fa:[\w-]+|file:[\w./-]+\.svg|node:[@\w./-]+)$/.test(name);
  return isKnown ? { icon: name } : {};
}

function adaptCredential(credential: NonNullable<CommunityDescription['credentials']>[number]): NodeCredential {
  const displayOptions = plainData(credential.displayOptions) as NodeCredential['displayOptions'];
  return {
    name: credential.name,
    ...(credential.required === true && { required: true }),
    ...(displayOptions && { displayOptions }),
    ...(typeof credential.testedBy === 'string' && { testedBy: credential.testedBy }),
  };
}
