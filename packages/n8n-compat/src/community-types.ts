import type { JsonObject, JsonValue } from '@sluice/domain';

/*
 * What packages of the community format hand over, as far as it is used here. Their authors are not ours: everything is optional until it has been
 * looked at (`check-community-type.ts`).
 */

/** A function that is called with one of our contexts as `this`. */
export type CommunityFunction = (this: object, ...values: never[]) => unknown;

/** A file beside an item: `id` of one that is stored, or the bytes in `data`, as base64. */
export interface CommunityBinary {
  id?: string;
  data?: string;
  mimeType?: string;
  /** What the media type is in one word, such as `image`. */
  fileType?: string;
  fileName?: string;
  fileExtension?: string;
  fileSize?: number | string;
}

export interface CommunityItem {
  json: JsonObject;
  binary?: Record<string, CommunityBinary>;
  pairedItem?: number | { item: number; input?: number } | { item: number; input?: number }[];
  error?: unknown;
}

export interface CommunityProperty {
  displayName: string;
  name: string;
  type: string;
  default?: JsonValue;
  description?: string;
  required?: boolean;
  options?: readonly unknown[];
  typeOptions?: Record<string, unknown>;
  displayOptions?: CommunityDisplayOptions;
  routing?: Record<string, unknown>;
  /** Of a resource locator: the ways in which it names its resource. */
  modes?: readonly CommunityLocatorMode[];
  extractValue?: CommunityExtraction;
  /** Of a fixed collection's group. */
  values?: readonly CommunityProperty[];
}

interface CommunityLocatorMode {
  name: string;
  extractValue?: CommunityExtraction;
}

export interface CommunityExtraction {
  type: string;
  regex?: string | RegExp;
}

export interface CommunityDisplayOptions {
  show?: Record<string, readonly JsonValue[]>;
  hide?: Record<string, readonly JsonValue[]>;
}

export interface CommunityDescription {
  displayName: string;
  name: string;
  group?: readonly string[];
  version: number | readonly number[];
  defaultVersion?: number;
  description?: string;
  defaults?: { name?: string };
  icon?: unknown;
  iconColor?: string;
  subtitle?: string;
  inputs?: unknown;
  outputs?: unknown;
  properties: readonly CommunityProperty[];
  credentials?: readonly { name: string; required?: boolean; displayOptions?: CommunityDisplayOptions; testedBy?: unknown }[];
  maxNodes?: number;
  polling?: boolean;
  requestDefaults?: Record<string, unknown>;
  requestOperations?: Record<string, unknown>;
  webhooks?: readonly Record<string, unknown>[];
}

export interface CommunityNodeType {
  description: CommunityDescription;
  /** Version → implementation; a versioned type has nothing else. */
  nodeVersions?: Record<string, CommunityNodeType>;
  currentVersion?: number;
  execute?: CommunityFunction;
  poll?: CommunityFunction;
  trigger?: CommunityFunction;
  webhook?: CommunityFunction;
  webhookMethods?: Record<string, Record<string, CommunityFunction>>;
  methods?: Record<string, Record<string, CommunityFunction>>;
  /** Ours: the data of a credential with what its type says where nothing was filled in. */
  completeCredentials?: (credentialType: string, data: JsonObject) => JsonObject;
  customOperations?: Record<string, Record<string, CommunityFunction>>;
}

/** What functions that run know of their type. */
export type RunningType = Pick<CommunityNodeType, 'description' | 'completeCredentials'>;

export interface CommunityCredentialType {
  name: string;
  displayName: string;
  documentationUrl?: string;
  extends?: readonly string[];
  properties: readonly CommunityProperty[];
  authenticate?: unknown;
  preAuthentication?: CommunityFunction;
  test?: unknown;
}
