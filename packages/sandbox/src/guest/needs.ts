import type { Need } from '../protocol.ts';

/** Data that the host must send before the call can be repeated successfully. */
export const needs: Need[] = [];

/**
 * Thrown for missing data that the host may have. The data is requested even if user text catches
 * the error.
 */
class MissingData extends Error {}

/** Records a need and stops the evaluation. */
export function need(missing: Need): never {
  needs[needs.length] = missing;
  throw new MissingData('needs data that was not sent yet');
}
