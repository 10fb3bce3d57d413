import type { JsonValue } from '@sluice/node-sdk';

/**
 * Whether a parameter, as written, may differ between items: templates of some property types have
 * expressions without a leading `=`.
 */
export function hasExpression(written: JsonValue | undefined): boolean {
  const open = [written];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && (value.startsWith('=') || value.includes('{{'))) return true;
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
  return false;
}
