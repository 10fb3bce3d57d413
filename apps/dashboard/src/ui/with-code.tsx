import type { ReactNode } from 'react';

/** Text of the service, in which the parts between backticks are code. */
export function withCode(text: string): ReactNode {
  const parts = text.split('`');
  // A backtick without its second one is text.
  if (parts.length % 2 === 0) return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
