import { maxDataContainers, maxElements, maxKeys } from '@sluice/domain';
import { maxOutputDepth, maxOutputLength } from './limits.ts';
import type { GuestOutcome } from './protocol.ts';

type Failure = Extract<GuestOutcome, { failure: string }>['failure'];

/** The end of a sentence that explains why a call into the guest failed. */
export function describeFailure(failure: Failure, timeoutMs: number): string {
  switch (failure) {
    case 'timeout':
      return `took longer than ${timeoutMs} ms`;
    case 'memory':
      return 'ran out of memory';
    case 'stack':
      return 'went too deep: the stack overflowed';
    case 'pending':
      return 'waits for a promise that nothing resolves';
    case 'output':
      return `gave more than ${maxOutputLength} characters, data nested deeper than ${maxOutputDepth} levels, more than ${maxDataContainers} lists and objects, an object with more than ${maxKeys} keys, or an array with more than ${maxElements} elements`;
    case 'broken':
      return 'gave an answer that cannot be read';
  }
}

const lessData = 'or have it work on fewer items at a time, with a Loop Over Items node';

/** A hint for the author; `undefined` if no hint applies. */
export function hintFor(failure: Failure): string | undefined {
  switch (failure) {
    case 'timeout':
      return `Have it do less, ${lessData}; the limit is the setting SANDBOX_TIMEOUT_MS.`;
    case 'memory':
      return `Have it hold less data, ${lessData}; the limit is the setting SANDBOX_MEMORY_MB.`;
    case 'output':
      return `Have it give less data, ${lessData}.`;
    case 'stack':
      return 'Look for a function that calls itself without an end.';
    case 'pending':
      return 'Await only what ends inside the code: there is no network.';
    case 'broken':
      return undefined;
  }
}
