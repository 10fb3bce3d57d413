import { selectorError } from './selector-error.ts';

/**
 * The text in markup. Throws a `NodeOperationError` that contains the selectors if they cannot be
 * used.
 */
export type TextOf = (html: string) => string;

/**
 * Reads markup as plain text: list marks, addresses after links, blank lines between paragraphs,
 * lines of at most 80 characters. `skip`: selectors of elements to omit, separated by commas.
 * Recursive: the caller has bounded the depth.
 */
export async function textReader(skip: string, itemIndex: number): Promise<TextOf> {
  const { compile } = await import('html-to-text');
  const selectors = skip
    .split(',')
    .map((selector) => selector.trim())
    .filter((selector) => selector !== '');
  try {
    return compile({ selectors: selectors.map((selector) => ({ selector, format: 'skip' })) });
  } catch (cause) {
    throw selectorError(skip, itemIndex, cause);
  }
}
