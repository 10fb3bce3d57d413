import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { trustedFingerprints } from './host-keys.ts';

/** Adds a warning to the run if its credential accepts every host key. */
export function warnOfUnverifiedHost(context: Pick<ExecuteContext, 'addHints'>, data: JsonObject): void {
  if (trustedFingerprints(data).length > 0) return;
  context.addHints?.({
    type: 'warning',
    message:
      'The host key of the server was not verified: anyone between here and the server can read and change what is sent. Set a fingerprint in the credential, or have it trust the first host key.',
  });
}
