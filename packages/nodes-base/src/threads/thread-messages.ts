/*
 * What the two sides of a work thread exchange. Data cross as text or bytes, which copy fast; JSON is parsed and written in time slices
 * on the side of the process's main loop.
 */

/** A task: a module that exports `task`, and its input, texts and bytes. */
export interface TaskMessage {
  module: string;
  input: unknown;
}

/** A part of a result. */
export type Part = { json: string } | { bytes: Uint8Array };

/** What the thread sends: parts, then `end`, or else `failure`, the text of an error. `ask` is a question to the host. */
export type ThreadMessage = Part | { end: true } | { failure: string } | { ask: number; method: string; args: unknown[] };

/** The host's answer to a question. */
export type AnswerMessage = { answer: number; value?: unknown; failure?: unknown };

/** Asks the host for something that only it has. */
export type AskHost = (method: string, ...args: unknown[]) => Promise<unknown>;

/** A function that runs on a work thread. Parts of its result are JSON or bytes. */
export type ThreadTask<Input> = (input: Input, ask: AskHost) => AsyncIterable<unknown>;
