import type { ErrorFields } from './error-fields.ts';

/*
 * Messages between the two sides of a work thread. Data is sent as text or bytes, which copy fast;
 * the host parses and writes JSON in time slices.
 */

/** A task: a module that exports `task`, and its input of strings and bytes. */
export interface TaskMessage {
  module: string;
  input: unknown;
}

/** Parts of a result: a JSON array of several parts, or the bytes of one part. */
export type Parts = { json: string } | { bytes: Uint8Array };

/**
 * Messages from the thread: parts, then `end`, or `failure` with an error's text. `ask` is a
 * request to the host.
 */
export type ThreadMessage = Parts | { end: true } | { failure: string } | { ask: number; method: string; args: unknown[] };

/** The host's reply to an `ask`. */
export type ResponseMessage = { answer: number } & ({ value: unknown } | { failure: ErrorFields });

/** Requests something from the host that only it has. */
export type AskHost = (method: string, ...args: unknown[]) => Promise<unknown>;

/** A function that runs on a work thread. Parts of its result are JSON or bytes. */
export type ThreadTask<Input> = (input: Input, ask: AskHost) => AsyncIterable<unknown>;
