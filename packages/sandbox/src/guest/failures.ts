/** A reference that must fail the expression rather than make it undefined: the author named something that is not there. */
export class ReferenceFailure extends Error {
  override readonly name = 'ReferenceFailure';
}

const maxTextLength = 2_000;

/** What an author is told about something thrown: it may be anything, with getters of its own. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown !== 'object' || thrown === null) return clip(String(thrown));
    const { name, message } = thrown as { name?: unknown; message?: unknown };
    const text = typeof message === 'string' ? message : 'unknown error';
    return clip(typeof name !== 'string' || name === 'Error' || name === 'ReferenceFailure' ? text : `${name}: ${text}`);
  } catch {
    return 'unknown error';
  }
}

function clip(text: string): string {
  return text.length > maxTextLength ? `${text.substring(0, maxTextLength)}…` : text;
}
