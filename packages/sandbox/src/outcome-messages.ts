import { maxDataContainers, maxElements, maxKeys } from '@sluice/domain';
import { maxOutputDepth, maxOutputLength } from './limits.ts';
import type { GuestFailure } from './protocol.ts';

const lessData = 'or have it work on fewer items at a time, with a Loop Over Items node';

/**
 * The end of a sentence that explains why a call into the guest failed, and a hint for the author.
 */
const texts: Readonly<Record<GuestFailure, { end: (timeoutMs: number) => string; hint?: string }>> = {
  timeout: {
    end: (timeoutMs) => `took longer than ${timeoutMs} ms`,
    hint: `Have it do less, ${lessData}; the limit is the setting SANDBOX_TIMEOUT_MS.`,
  },
  memory: {
    end: () => 'ran out of memory',
    hint: `Have it hold less data, ${lessData}; the limit is the setting SANDBOX_MEMORY_MB.`,
  },
  stack: {
    end: () => 'went too deep: the stack overflowed',
    hint: 'Look for a function that calls itself without an end.',
  },
  pending: {
    end: () => 'waits for a promise that nothing resolves',
    hint: 'Await only what ends inside the code: there is no network.',
  },
  output: {
    end: () =>
      `gave more than ${maxOutputLength} characters, data nested deeper than ${maxOutputDepth} levels, more than ${maxDataContainers} lists and objects, an object with more than ${maxKeys} keys, or an array with more than ${maxElements} elements`,
    hint: `Have it give less data, ${lessData}.`,
  },
  broken: { end: () => 'gave an answer that cannot be read' },
};

/** The end of a sentence that explains why a call into the guest failed. */
export function describeFailure(failure: GuestFailure, timeoutMs: number): string {
  return texts[failure].end(timeoutMs);
}

/** A hint for the author; `undefined` if no hint applies. */
export function hintFor(failure: GuestFailure): string | undefined {
  return texts[failure].hint;
}
