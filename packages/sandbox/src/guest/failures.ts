import { askHost } from './host.ts';
import { stringify } from './json.ts';
import { outOfMemory } from './messages.ts';

/**
 * A failure that must stop the expression rather than make it undefined: the author named something
 * that does not exist, or passed an unsuitable value to a helper.
 */
export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure';
}

const maxTextLength = 2_000;
const maxThrownDataLength = 500;

/**
 * The message for authors about a thrown value, which may be anything, even an object with getters.
 */
export function messageOf(thrown: unknown): string {
  try {
    // If there is no memory for an error, the engine throws null.
    if (thrown === null && askHost<boolean>({ memoryFull: true })) return outOfMemory;
    if (typeof thrown !== 'object' || thrown === null) return clip(String(thrown), maxTextLength);
    const { name, message } = thrown as { name?: unknown; message?: unknown };
    if (typeof message !== 'string') return clip(stringify(thrown) ?? 'unknown error', maxThrownDataLength);
    if (name === 'InternalError' && message === outOfMemory) return outOfMemory;
    const bare = typeof name !== 'string' || name === 'Error' || name === 'ExpressionFailure';
    return clip(bare ? message : `${name}: ${message}`, maxTextLength);
  } catch {
    return 'unknown error';
  }
}

function clip(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.substring(0, maxLength)}…` : text;
}

/**
 * If there is no memory for an error, the engine throws null; stack and memory exhaustion have
 * their own errors.
 */
export function isEngineFailure(thrown: unknown): boolean {
  return thrown === null || (thrown instanceof Error && thrown.name === 'InternalError');
}
