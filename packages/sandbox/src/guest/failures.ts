import { askHost } from './host.ts';
import { stringify } from './json.ts';

/** A reference that must fail the expression rather than make it undefined: the author named something that is not there. */
export class ReferenceFailure extends Error {
  override readonly name = 'ReferenceFailure';
}

const maxTextLength = 2_000;
const maxThrownDataLength = 500;

/** What is said where the engine had no memory to go on. */
export const outOfMemory = 'out of memory';

/** What an author is told about something thrown: it may be anything, with getters of its own. */
export function messageOf(thrown: unknown): string {
  try {
    // Without memory for an error, the engine throws null.
    if (thrown === null && askHost<boolean>({ memoryFull: true })) return outOfMemory;
    if (typeof thrown !== 'object' || thrown === null) return clip(String(thrown), maxTextLength);
    const { name, message } = thrown as { name?: unknown; message?: unknown };
    if (typeof message !== 'string') return clip(stringify(thrown) ?? 'unknown error', maxThrownDataLength);
    if (name === 'InternalError' && message === outOfMemory) return outOfMemory;
    const bare = typeof name !== 'string' || name === 'Error' || name === 'ReferenceFailure';
    return clip(bare ? message : `${name}: ${message}`, maxTextLength);
  } catch {
    return 'unknown error';
  }
}

function clip(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.substring(0, maxLength)}…` : text;
}
