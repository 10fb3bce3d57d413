import { maxOutputDepth, maxOutputLength } from './limits.ts';
import type { GuestOutcome } from './protocol.ts';

/** The end of a sentence that says why a call into the guest gave nothing. */
export function describeFailure(failure: Extract<GuestOutcome, { failure: string }>['failure'], timeoutMs: number): string {
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
      return `gave more than ${maxOutputLength} characters, or data nested deeper than ${maxOutputDepth} levels`;
    case 'broken':
      return 'gave an answer that cannot be read';
  }
}
