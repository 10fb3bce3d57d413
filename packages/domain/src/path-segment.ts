/**
 * Whether a text can be a fixed part of the path that a webhook or a form is called at: calls can bring it, and nobody on their way changes it. Clients take
 * `.` and `..` out of a path, and half a surrogate pair cannot be written in one.
 */
export function isPathSegment(text: string): boolean {
  return !/^\.{1,2}$/.test(text) && /^[^\s:?#\\/\p{Cc}\p{Cs}]{1,200}$/u.test(text);
}
