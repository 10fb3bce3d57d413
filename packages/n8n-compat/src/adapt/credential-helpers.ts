import type { AuthenticationPorts } from '@sluice/node-sdk';
import { requestHelpers } from '../context/request-helpers.ts';

/** `this.helpers` in the functions of credential types and in credential tests. */
export function credentialHelpers(ports: Pick<AuthenticationPorts, 'http'>, signal: AbortSignal) {
  const unusable = () => Promise.reject(new TypeError('a credential type cannot use another credential'));
  return requestHelpers({
    node: { name: 'Credential', type: '', position: [0, 0], parameters: {} },
    signal,
    http: ports.http,
    authentication: unusable,
  });
}
