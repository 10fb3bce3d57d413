import type { LookupFunction } from 'node:net';
import { errorMessage } from '@sluice/domain';
import type { EgressGuard } from '@sluice/node-sdk';
import { UserError } from '../workflow-module/errors.ts';

type Judged = { ok: true; result: undefined } | { ok: false; error: Error };

/** The egress guard, for package libraries that make their own requests. */
export interface EgressFilter {
  validateUrl(url: string | URL): Promise<Judged>;
  createSecureLookup(): LookupFunction;
}

/**
 * Available in every mode: the guard blocks the service's own endpoints even if the protection is
 * off.
 */
export function egressFilter(guard: EgressGuard): EgressFilter {
  return {
    validateUrl: (url) =>
      guard.check(String(url)).then(
        () => ({ ok: true as const, result: undefined }),
        (error: unknown) => ({ ok: false as const, error: new UserError(errorMessage(error), { cause: error }) }),
      ),
    createSecureLookup: () => guard.lookup,
  };
}
