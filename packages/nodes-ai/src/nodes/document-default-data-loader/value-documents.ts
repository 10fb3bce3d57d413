import type { JsonValue, TextDocument } from '@sluice/node-sdk';

/** The document of a value: its text, or its JSON. Blank text is none. */
export function valueDocuments(value: JsonValue): TextDocument[] {
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value, null, 2);
  return text.trim() === ''
    ? []
    : [{ text, metadata: { source: 'blob', blobType: isText ? 'text/plain' : 'application/json' } }];
}
