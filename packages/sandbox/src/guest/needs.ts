import type { Need } from '../protocol.ts';

/** What the host has to send before the call can be repeated with success. */
export const needs: Need[] = [];

/** Thrown where something is missing that the host may have. Whether or not user text catches it, the host is asked. */
class MissingData extends Error {}

/** Records a need and ends the evaluation that has it. */
export function need(missing: Need): never {
  needs[needs.length] = missing;
  throw new MissingData('needs data that was not sent yet');
}
