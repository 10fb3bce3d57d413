/**
 * Whether a string can be a fixed segment in a webhook or form path: clients can send it, and no
 * proxy changes it. Clients remove `.` and `..` from a path, and half a surrogate pair cannot be
 * encoded.
 */
export function isPathSegment(text: string): boolean {
  return !/^\.{1,2}$/.test(text) && /^[^\s:?#\\/\p{Cc}\p{Cs}]{1,200}$/u.test(text);
}
