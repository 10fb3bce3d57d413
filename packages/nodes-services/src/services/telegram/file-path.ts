import type { JsonValue } from '@sluice/node-sdk';
import type { ApiRequest } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';

/** A file's path in a `getFile` response; `undefined` if it is too large to download. */
export function filePath(response: JsonValue | undefined): string | undefined {
  const path = objectOf(objectOf(response)['result'])['file_path'];
  return typeof path === 'string' ? path : undefined;
}

/** The request that downloads the file at a path. */
export function fileRequest(path: string): ApiRequest {
  return { path: `/file/${path.split('/').map(encodeURIComponent).join('/')}` };
}
