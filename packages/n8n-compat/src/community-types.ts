import type { JsonObject, JsonValue } from '@sluice/domain';

/*
 * The parts of the community format's types that are used here. Packages are third-party code, so
 * every member is optional until it is checked (`check-community-type.ts`).
 */

/** A function that is called with one of our contexts as `this`. */
export type CommunityFunction = (this: object, ...values: never[]) => unknown;

/** An item's file: `id` of a stored file, or the bytes in `data`, as base64. */
export interface CommunityBinary {
  id?: string;
  data?: string;
  mimeType?: string;
  /** The media type as one word, such as `image`. */
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
  /** For a resource locator: the ways to identify its resource. */
  modes?: readonly CommunityLocatorMode[];
  extractValue?: CommunityExtraction;
  /** For a group of a fixed collection. */
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
  usableAsTool?: unknown;
  requestDefaults?: Record<string, unknown>;
  requestOperations?: Record<string, unknown>;
  webhooks?: readonly Record<string, unknown>[];
}

export interface CommunityNodeType {
  description: CommunityDescription;
  /** Version → implementation; a versioned type has no other members. */
  nodeVersions?: Record<string, CommunityNodeType>;
  currentVersion?: number;
  execute?: CommunityFunction;
  poll?: CommunityFunction;
  trigger?: CommunityFunction;
  webhook?: CommunityFunction;
  supplyData?: CommunityFunction;
  webhookMethods?: Record<string, Record<string, CommunityFunction>>;
  methods?: Record<string, Record<string, CommunityFunction>>;
  /** Our addition: fills in a credential's data with the defaults of its type. */
  completeCredentials?: (credentialType: string, data: JsonObject) => JsonObject;
  customOperations?: Record<string, Record<string, CommunityFunction>>;
}

/** The parts of a type that functions use while they run. */
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
