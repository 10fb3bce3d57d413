import { randomBytes } from 'node:crypto';
import {
  AppError,
  type BinaryReference,
  type Item,
  type JsonObject,
  type JsonValue,
  ownProperty,
  valueAt,
} from '@sluice/domain';
import type { CredentialType } from '../credentials/credential.ts';
import { credentialAuthentication } from '../credentials/credential-authentication.ts';
import type { HttpClient } from '../http/http.ts';
import type { SourceContext } from '../triggers/source.ts';

/** Test setup of a polling or listening node. Default: no parameters and no stored data. */
export interface FakeSource {
  /** Plain values; expressions are already resolved. */
  parameters?: JsonObject;
  /** Default: the newest. */
  typeVersion?: number;
  /** Credential type → data of the node's credential. */
  credentials?: Record<string, JsonObject>;
  /** Types for `authentication`. */
  credentialTypes?: readonly CredentialType[];
  cursor?: JsonObject;
  workflow?: Partial<SourceContext['workflow']>;
  http?: Partial<HttpClient>;
  connect?: SourceContext['connect'];
  files?: SourceContext['files'];
  /** Signal of the whole source; `listen` also fires it on `close`. */
  signal?: AbortSignal;
}

/** An execution that a source started in a test. */
export interface FakeEvent {
  items: readonly Item[];
  output: number;
  key?: string;
}

/** Files that a source stored: id → bytes. */
export type FakeFiles = Map<string, Uint8Array>;

/** The part of the context that polls and listeners share. Stored files appear in `files`. */
export function fakeSourceContext(source: FakeSource, versions: number | readonly number[], files: FakeFiles): SourceContext {
  const { parameters = {}, credentials = {}, http = {}, credentialTypes = [] } = source;
  const unexpected = async () => {
    throw new Error('the test expected no such call');
  };
  const client = { request: unexpected, stream: unexpected, ...http } as HttpClient;
  const dataOf = (type: string): JsonObject => {
    const data = ownProperty(credentials, type);
    if (data) return data;
    throw new AppError({ code: 'CREDENTIAL_NOT_SET', message: `the node names no credential of type ${type}` });
  };
  return {
    node: { id: 'node-1', name: 'Node', type: 'base.test', position: [0, 0], parameters },
    typeVersion: source.typeVersion ?? Math.max(...[versions].flat()),
    workflow: { id: 'w1', name: 'Workflow', active: true, timezone: 'UTC', ...source.workflow } as SourceContext['workflow'],
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    http: client,
    connect: source.connect ?? unexpected,
    files: source.files,
    cursor: source.cursor,
    parameter: <T extends JsonValue>(path: string, _itemIndex: number, fallback?: T) =>
      (valueAt(parameters, path) ?? fallback) as T,
    credentials: async (type) => dataOf(type),
    authentication: async (type) => {
      const ports = { http: client, now: Date.now, randomBytes };
      const credentialType = credentialTypes.find(({ name }) => name === type);
      return credentialAuthentication(type, credentialType, dataOf(type), ports);
    },
    hideSecret: () => {},
    binary: { store: (content, file) => storeFile(files, content, file) },
  };
}

type Store = SourceContext['binary']['store'];

async function storeFile(
  files: FakeFiles,
  content: Parameters<Store>[0],
  { fileName, mimeType = 'application/octet-stream' }: Parameters<Store>[1],
): Promise<BinaryReference> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content instanceof Uint8Array ? [content] : content) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const id = `file-${files.size}`;
  files.set(id, bytes);
  return { id, mimeType, fileSize: bytes.length, ...(fileName !== undefined && { fileName }) };
}
