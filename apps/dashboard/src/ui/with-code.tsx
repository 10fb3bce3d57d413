import type { ReactNode } from 'react';

/** Text from the service, in which parts between backticks are code. */
export function withCode(text: string): ReactNode {
  const parts = text.split('`');
  // An unpaired backtick is text.
  if (parts.length % 2 === 0) return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
