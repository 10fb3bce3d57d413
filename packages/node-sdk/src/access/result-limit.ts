import { type JsonObject, jsonLength } from '@sluice/domain';

/**
 * Maximum number of bytes that a node reads in one run, such as from a database or a service. A
 * larger result would fill the worker's memory before the run data limit applies.
 */
export const maxResultBytes = 64 * 1024 * 1024;

/** Cost of a row or document in addition to its values, in the worker's memory and in run data. */
export const rowBytes = 64;

/** A row's size in bytes, for the limit; more than `maxResultBytes` if it is longer. */
export function bytesOfRow(row: JsonObject): number {
  return rowBytes + jsonLength(row, maxResultBytes);
}
