import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { trustedFingerprints } from './host-keys.ts';

/** Adds a warning to the run if its credential accepts every host key. */
export function warnOfUnverifiedHost(context: Pick<ExecuteContext, 'addHints'>, data: JsonObject): void {
  if (trustedFingerprints(data).length > 0) return;
  context.addHints?.({
    type: 'warning',
    message:
      'The server’s host key was not verified: anyone on the network path can read and change the data. Set a fingerprint in the credential, or let it trust the first host key.',
  });
}
