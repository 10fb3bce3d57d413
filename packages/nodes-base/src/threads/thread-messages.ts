import type { ErrorFields } from './error-fields.ts';

/*
 * Messages between the two sides of a work thread. Data cross as text or bytes, which copy fast; the host
 * parses and writes JSON in time slices.
 */

/** A task: a module that exports `task`, and its input, strings and bytes. */
export interface TaskMessage {
  module: string;
  input: unknown;
}

/** Parts of a result: a JSON array of some, or the bytes of one. */
export type Parts = { json: string } | { bytes: Uint8Array };

/** Messages of the thread: parts, then `end`, or `failure` with the text of an error. `ask` is a request to the host. */
export type ThreadMessage = Parts | { end: true } | { failure: string } | { ask: number; method: string; args: unknown[] };

/** The host's reply to an `ask`. */
export type ResponseMessage = { answer: number } & ({ value: unknown } | { failure: ErrorFields });

/** Asks the host for something that only it has. */
export type AskHost = (method: string, ...args: unknown[]) => Promise<unknown>;

/** A function that runs on a work thread. Parts of its result are JSON or bytes. */
export type ThreadTask<Input> = (input: Input, ask: AskHost) => AsyncIterable<unknown>;
